// What the quick look knows of a launch before it runs (suspicion.h). Private to it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "observe/suspicion_owners.h"
#include "simt/access.h"
#include "simt/machine.h"

namespace labkit::observe {

struct SuspicionPlan {
  const simt::Memory& memory;
  std::span<const simt::InstructionFacts> facts;
  const std::vector<simt::SharedArray>& arrays;
  std::uint32_t shared_cell = kWidestCell, global_cell = kWidestCell, local_cell = kWidestCell;
  std::uint32_t shared_end = 0;  ///< of the window in this launch
  std::uint32_t threads = 1;
  bool all_reads = false;
  unsigned always = 0;  ///< Suspects::Reason: what the quick look cannot judge
};

/// First address and one past the last, of the lanes that are on.
inline std::pair<std::uint64_t, std::uint64_t> range_of(const simt::Access& access) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(access.active));
  if (access.shape != nullptr)
    return {access.addresses[first] + static_cast<std::uint64_t>(access.shape->low),
            access.addresses[first] + static_cast<std::uint64_t>(access.shape->high)};
  std::uint64_t low = ~0ull, high = 0;
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    const auto address = access.addresses[std::countr_zero(rest)];
    low = std::min(low, address);
    high = std::max(high, address + access.bytes_per_lane);
  }
  return {low, high};
}

}  // namespace labkit::observe
