// What one warp's memory request touches, and what it costs L1.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "simt/access.h"
#include "simt/observer.h"

namespace labkit::timing {

// A line is 128 bytes, an atom 64, a sector 32, a word 4: what L1 looks up, what DRAM reads, what moves, what a bank gives.
inline constexpr unsigned kLineShift = 7, kAtomShift = 6, kSectorShift = 5, kWordShift = 2;

/// All lanes are on, each where the one before it ends.
inline bool is_run(const simt::Access& access) {
  return access.shape != nullptr && access.shape->shape == simt::Shape::consecutive;
}

/// Distinct `1 << shift` blocks of memory that the access touches, rising.
class Distinct {
 public:
  Distinct(const simt::Access& access, unsigned shift) {
    if (is_run(access)) {
      const std::uint64_t first = access.addresses[0],
                          last = first + std::uint64_t{32} * access.bytes_per_lane - 1;
      for (std::uint64_t at = first >> shift; at <= last >> shift; ++at) items_[count_++] = at;
      return;
    }
    bool rising = true;
    for (std::uint32_t rest = access.active; rest; rest &= rest - 1) {
      const std::uint64_t address = access.addresses[std::countr_zero(rest)];
      const std::uint64_t end = (address + access.bytes_per_lane - 1) >> shift;
      for (std::uint64_t at = address >> shift; at <= end; ++at) {
        if (count_ && items_[count_ - 1] == at) continue;
        rising = rising && (!count_ || items_[count_ - 1] < at);
        items_[count_++] = at;
      }
    }
    if (rising) return;
    std::sort(items_.begin(), items_.begin() + count_);
    count_ = static_cast<std::size_t>(std::unique(items_.begin(), items_.begin() + count_) -
                                      items_.begin());
  }
  std::span<const std::uint64_t> items() const { return {items_.data(), count_}; }

 private:
  std::array<std::uint64_t, 64> items_;  // a lane spans two at most: accesses are aligned
  std::size_t count_ = 0;
};

/// Passes of a load or store through L1's data array: the most distinct words wanted of one of its 32 banks (up to 4 bytes
/// a lane in one go, 8 in two halves of the warp, 16 in four quarters, as for shared memory), or four lines looked up a
/// pass, whichever is more. Source: l1_hit_stride_* of tests/h200/timing_parameters.txt.
class L1Passes {
 public:
  /// `lines`: distinct ones that the access touches.
  std::uint64_t of(const simt::Access& access, std::uint64_t lines) {
    return std::max(banks(access), (lines + 3) / 4);
  }

 private:
  std::uint64_t banks(const simt::Access& access);
  std::vector<std::uint16_t> known_;  ///< by simt::Access::pattern; 0: not yet
};

}  // namespace labkit::timing
