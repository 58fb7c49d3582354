// Where the address spaces lie. Global allocations have device addresses below kSharedWindow; generic addresses of the
// other spaces are their offsets plus one of these bases, far from any allocation.
#pragma once
#include <cstdint>

#include "ptx/module.h"

namespace labkit::simt {

inline constexpr std::uint64_t kSharedWindow = 1ull << 52;
inline constexpr std::uint64_t kLocalWindow = 1ull << 53;
inline constexpr std::uint64_t kParameterWindow = 1ull << 54;

inline constexpr auto kSharedSpace = static_cast<std::uint8_t>(ptx::Space::shared);
inline constexpr auto kLocalSpace = static_cast<std::uint8_t>(ptx::Space::local);
inline constexpr auto kGlobalSpace = static_cast<std::uint8_t>(ptx::Space::global);
inline constexpr auto kGenericSpace = static_cast<std::uint8_t>(ptx::Space::generic);
inline constexpr auto kParameterSpace = static_cast<std::uint8_t>(ptx::Space::param);
inline constexpr auto kConstantSpace = static_cast<std::uint8_t>(ptx::Space::constant);

}  // namespace labkit::simt
