// Where the address spaces lie. Global allocations have device addresses below kSharedWindow; generic addresses of the
// other spaces are their offsets plus one of these bases, far from any allocation.
#pragma once
#include <cstdint>

#include "ptx/module.h"

namespace labkit::simt {

inline constexpr std::uint64_t kSharedWindow = 1ull << 52;
inline constexpr std::uint64_t kLocalWindow = 1ull << 53;
inline constexpr std::uint64_t kParameterWindow = 1ull << 54;

/// What the toolkit keeps of a block's shared memory for itself (%reserved_smem_offset_0, _1; PTX ISA) lies here in its
/// window, behind all that a block may have. Its address can be had, which cooperative groups do; there is nothing there.
inline constexpr std::uint64_t kReservedShared = 1ull << 30, kReservedSharedBytes = 1024;

/// So far below a window an address is taken for one of that space with a negative index: no allocation lies there.
inline constexpr std::uint64_t kBelowWindow = 1ull << 40;

/// An offset in a window as a signed number: a negative index gives one before the window, in 32 bits or in 64.
inline constexpr std::int64_t signed_offset(std::uint64_t offset) {
  return offset >> 31 == 1 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(offset))
                           : static_cast<std::int64_t>(offset);
}

inline constexpr auto kSharedSpace = static_cast<std::uint8_t>(ptx::Space::shared);
inline constexpr auto kLocalSpace = static_cast<std::uint8_t>(ptx::Space::local);
inline constexpr auto kGlobalSpace = static_cast<std::uint8_t>(ptx::Space::global);
inline constexpr auto kGenericSpace = static_cast<std::uint8_t>(ptx::Space::generic);
inline constexpr auto kParameterSpace = static_cast<std::uint8_t>(ptx::Space::param);
inline constexpr auto kConstantSpace = static_cast<std::uint8_t>(ptx::Space::constant);

}  // namespace labkit::simt
