// What one warp's memory request touches, and what it costs L1.
#pragma once
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

/// The address of the request's first active lane.
inline std::uint64_t start_of(const simt::Access& access) {
  return access.addresses[std::countr_zero(access.active)];
}

/// A line that a request touches. Accesses are aligned, so that each lane lies in one line, and in one sector.
struct TouchedLine {
  std::int64_t distance = 0;  ///< in lines, from that of the first active lane
  std::uint32_t words = 0;    ///< bit w: word w is touched
  std::uint8_t sectors = 0;   ///< bit s: sector s
  std::uint8_t lanes = 0;     ///< how many lie in it
};

/// What a request touches, and what it costs.
struct Touched {
  std::uint64_t base = 0;              ///< the line of the first active lane
  std::span<const TouchedLine> lines;  ///< rising; never empty
  std::uint32_t sectors = 0;           ///< distinct ones
  /// Passes through L1's data array: the most distinct words wanted of one of its 32 banks (up to 4 bytes a lane in one go,
  /// 8 in two halves of the warp, 16 in four quarters, as for shared memory), or four lines looked up a pass, whichever is
  /// more. Source: l1_hit_stride_* of tests/h200/timing_parameters.txt.
  std::uint32_t wavefronts = 0;

  std::uint64_t line(const TouchedLine& touched) const {
    return base + static_cast<std::uint64_t>(touched.distance);
  }
};

/// Atoms of a line, by its sectors.
inline std::uint32_t atoms_of(std::uint32_t sectors) {
  return ((sectors | sectors >> 1) & 1) | ((sectors | sectors >> 1) >> 1 & 2);
}

/// Works out what requests touch; of a pattern (simt::Access::pattern) that begins as far into a line as one did before, it
/// knows it.
class RequestLines {
 public:
  RequestLines();
  /// Valid until the next call.
  Touched of(const simt::Access& access);

 private:
  struct Known {
    std::uint32_t pattern = 0, round = 0;
    std::uint32_t from = 0;  ///< in lines_
    std::uint16_t sectors = 0, wavefronts = 0;
    std::uint8_t phase = 0, lines = 0;
  };
  /// Into scratch_; how many.
  std::uint32_t work_out(const simt::Access& access);
  std::uint32_t bank_passes(const simt::Access& access);

  std::array<TouchedLine, simt::kLanes> scratch_;
  std::vector<Known> known_;
  std::vector<TouchedLine> lines_;
  std::uint32_t round_ = 1;            ///< begins anew when lines_ has become long
  std::vector<std::uint16_t> passes_;  ///< by pattern; 0: not yet
};

/// Two requests of one pattern whose first addresses are alike but for so many low bits touch the same sectors.
inline unsigned same_sectors_shift(const simt::Access& access) {
  const simt::Pattern* shape = access.shape;
  if (shape == nullptr || shape->wild) return 0;
  return (shape->alignment_bits & ((1u << kSectorShift) - 1)) == 0 ? kSectorShift : 0;
}

}  // namespace labkit::timing
