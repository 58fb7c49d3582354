// A kernel's time against the copies: the one of its own launch shape, and the best there is. On the
// simulator both are predicted one after the other; on a GPU kernel and copies run in turn in one
// window, so that whatever the machine does befalls all alike, and ratios are taken round by round.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "device/device.h"
#include "grade/copy.h"
#include "grade/policy.h"

namespace labkit::grade {

/// What is timed.
struct Subject {
  device::Plan plan;  ///< one launch, with its module and buffers; repetition is set here
  std::uint64_t useful_bytes = 0;      ///< what the ratio speaks of
  std::uint64_t compulsory_bytes = 0;  ///< each input once and each output once, at the least
};

/// What it is held against.
struct Baseline {
  std::optional<CopyShape> same_shape;  ///< none for a kernel that chose its own shape
  std::uint64_t copy_bytes = 0;         ///< useful bytes of the copies, about
};

struct TimedCopy {
  Timing timing;
  std::uint64_t useful_bytes = 0;
  double bytes_per_second() const {
    return static_cast<double>(useful_bytes) / timing.median_us * 1e6;
  }
};

struct Comparison {
  Timing timing;
  bool predicted = false;
  double bytes_per_second = 0;                        ///< useful bytes over the median time
  std::optional<TimedCopy> same_shape, best, driver;  ///< driver: only on a GPU
  /// Useful bytes over time against the same of the copy. best_ratio: against the faster of the best
  /// copy and the driver's.
  std::optional<Interval> ratio, best_ratio;
  double share_of_peak = 0;  ///< compulsory bytes over time, against DRAM's peak; 0: not known
  std::optional<device::Conditions> conditions;  ///< of a measured time
  /// Why the times decide nothing (the clocks are held down by heat, a time under the roofline floor); else none.
  words::Message undecided;
};

/// Around a time that the simulator predicted; the copies' times are kept in `cache_directory`.
/// `outcome` must have completed.
Comparison compare_predicted(device::Device& device, const device::Outcome& outcome,
                             std::uint64_t useful_bytes, const Baseline& baseline,
                             const std::filesystem::path& cache_directory);

/// Runs kernel and copies on a GPU. `outcome` is the kernel's; there is no comparison if it did not
/// complete. Throws labkit::Error if a copy did not copy.
struct Measured {
  device::Outcome outcome;
  std::optional<Comparison> comparison;
};
Measured compare_measured(device::Device& device, Subject subject, const Baseline& baseline,
                          const std::filesystem::path& cache_directory);

/// Ratios round by round: rate of the kernel over rate of the copy. Throws labkit::Error unless both
/// have as many samples.
Interval paired_ratio(const std::vector<double>& kernel_us, std::uint64_t kernel_bytes,
                      const std::vector<double>& copy_us, std::uint64_t copy_bytes);

}  // namespace labkit::grade
