// A kernel's time against the copies: the one of its own launch shape, and the best there is. On the
// simulator both are predicted one after the other; on a GPU kernel and copies run in turn in one
// window, so that whatever the machine does befalls all alike, and ratios are taken round by round.
//
// A ratio means little unless the copy has the kernel's own launch shape (kernel_times: one float a
// thread reaches 2.6 TB/s on an H200, 16 bytes a thread 4.2), or is the best there is.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "grade/policy.h"
#include "grade/prepare.h"

namespace labkit::grade {

// ---- copies

struct CopyShape {
  launch::Dim3 block = {};  ///< y > 1: two-dimensional, over a matrix 2048 elements wide
  std::uint32_t elements_a_thread = 1;
  launch::Element element = launch::Element::f32;
  bool best = false;  ///< 16 bytes a thread, blocks of 256; the other members mean nothing
};

/// A copy ready to be launched, from buffer 0 to buffer 1.
struct PlannedCopy {
  Build build;
  LaunchSetup setup;
  std::uint64_t useful_bytes() const { return 2 * setup.buffers[0].size_in_bytes(); }
};
/// A copy that moves about `useful_bytes`, compiled for `arch` ("compute_90", "sm_90"; the result is
/// kept in `cache_directory`).
PlannedCopy plan_copy(const CopyShape& shape, std::uint64_t useful_bytes, const std::string& arch,
                      const std::filesystem::path& cache_directory);

inline double bytes_per_second(std::uint64_t bytes, double time_us) {
  return static_cast<double>(bytes) / time_us * 1e6;
}

struct CopyTime {
  double time_us = 0;
  std::uint64_t useful_bytes = 0;  ///< read once and written once; what was asked for, rounded
  bool predicted = false;
  double rate() const { return bytes_per_second(useful_bytes, time_us); }
};
/// Of a copy whose launch gave `outcome`. Throws labkit::Error, a fault of the kit, if that is no
/// copy.
CopyTime time_of(const PlannedCopy& copy, const device::Outcome& outcome);

/// Times a copy that moves about `useful_bytes`, and checks that it copied. On a deterministic
/// device the time is kept in `cache_directory` (empty: nowhere) under all that decides it, this
/// program's build among them.
CopyTime time_copy(device::Device& device, const CopyShape& shape, std::uint64_t useful_bytes,
                   const std::filesystem::path& cache_directory);

// ---- a kernel beside them

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

struct Comparison {
  Timing timing;
  bool predicted = false;
  double bytes_per_second = 0;                       ///< useful bytes over the median time
  std::optional<CopyTime> same_shape, best, driver;  ///< driver: only on a GPU
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
