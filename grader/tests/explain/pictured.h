// Accesses made up for pictures.
#pragma once
#include <cstdint>
#include <functional>

#include "explain/lane_picture.h"
#include "observe/rules.h"

namespace labkit::explain::test {

inline constexpr std::uint64_t kBuffer = 1ull << 33;

struct Access {
  ptx::Space space = ptx::Space::global;
  std::uint32_t bytes = 4;
  bool is_store = false;
  std::uint32_t active = ~0u;
  std::uint32_t element_bytes = 4;  ///< of the buffer "in"; "tile" does not say
  const char* spelling = "ld.global.f32";
};

/// Lane i at byte `place(i)` of "in" (global) or "tile" (shared).
inline LanePicture picture(const Access& access, const std::function<std::int64_t(int)>& place) {
  const bool shared = access.space == ptx::Space::shared;
  observe::InstructionSamples instruction;
  instruction.space = access.space;
  instruction.is_store = access.is_store;
  observe::WarpAccess one;
  one.active = access.active;
  one.bytes_per_lane = access.bytes;
  for (int lane = 0; lane < 32; ++lane)
    if ((access.active >> lane & 1) != 0)
      one.addresses[static_cast<std::size_t>(lane)] =
          (shared ? 0 : kBuffer) + static_cast<std::uint64_t>(place(lane));
  if (shared) {
    const auto cost =
        observe::bank_cost(one.addresses.data(), one.active, one.bytes_per_lane, !access.is_store);
    one.cost = cost.wavefronts;
    one.ideal = cost.ideal;
  } else {
    const auto cost = observe::sector_cost(one.addresses.data(), one.active, one.bytes_per_lane);
    one.cost = cost.sectors;
    one.ideal = cost.ideal;
  }
  const std::vector<observe::NamedRange> ranges = {
      {"in", ptx::Space::global, kBuffer, 1u << 30, access.element_bytes},
      {"tile", ptx::Space::shared, 0, 1u << 16, 0}};
  return picture_of(instruction, one, ranges, access.spelling);
}

}  // namespace labkit::explain::test
