// A launch under the roofs of a GPU (Williams, Waterman, Patterson, "Roofline: an insightful visual performance model",
// CACM 2009): how much arithmetic it does for each byte of DRAM traffic, what the GPU could do of that, and what it does.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/profile.h"
#include "grade/result.h"
#include "observe/counters.h"
#include "timing/timing.h"

namespace labkit::explain {

/// One roof: slanted (bytes a second) or flat (floating-point operations a second).
struct Roof {
  std::string name;       ///< "DRAM", "L2", "FP32", "FP64"
  double per_second = 0;  ///< bytes or operations
  std::string basis;      ///< where the number is from: "sustained, measured", "datasheet"
};

/// Floating-point operations of a launch, from the PTX that its lanes executed: add, sub, mul and what takes one operand
/// or divides count 1, fma and mad 2, each half of a pair (f16x2) by itself. min, max, comparisons and conversions count
/// nothing. (A GPU makes several operations of a division; Nsight Compute counts those.)
struct Flops {
  double f16 = 0;  ///< and bf16
  double f32 = 0, f64 = 0;
  double total() const { return f16 + f32 + f64; }
};
Flops flops_of(const observe::LaunchCounters& counters);

struct Roofline {
  std::string gpu;               ///< "NVIDIA H200 (132 SMs, ...)"
  std::vector<Roof> bandwidths;  ///< DRAM first, which the launch is held against
  std::vector<Roof> peaks;       ///< FP32, FP64
  Flops flops;
  double dram_bytes = 0;
  std::string bytes_basis;  ///< what `dram_bytes` are, for people
  double time_us = 0;
  bool time_is_predicted = true;

  // All 0 for a kernel that does no floating-point arithmetic (a transpose), which has no point under the roofs: its
  // bandwidth alone can be held against DRAM's.
  double intensity = 0;              ///< operations a byte of DRAM traffic: the point's x
  double flops_per_second = 0;       ///< the point's y
  double roof_flops_per_second = 0;  ///< the lower of the two roofs at that intensity
  double ridge = 0;  ///< the intensity at which the roofs meet, for its mix of precisions
  bool memory_bound = true;

  double bytes_per_second = 0;  ///< DRAM traffic over time
  /// Of the roof above it, 0 to about 1: operations a second, or without any, DRAM's bandwidth.
  double share_of_roof = 0;
  std::vector<std::string> words;  ///< what is to be seen, 2 or 3 sentences
};

/// `prediction` may be null: then the traffic is `compulsory_bytes`, every array once. Half precision is held against the
/// FP32 roof. The time must be of the same launch.
Roofline roofline_of(const observe::LaunchCounters& counters, const timing::Prediction* prediction,
                     double compulsory_bytes, std::string_view gpu_profile, double time_us,
                     bool time_is_predicted);

/// With the predicted time; nullopt without counters or a prediction, as in details that were read back from JSON.
std::optional<Roofline> roofline_of(const grade::LaunchDetail& detail,
                                    std::string_view gpu_profile);
/// With the measured time where there is one.
std::optional<Roofline> roofline_of(const grade::Profile& profile);

}  // namespace labkit::explain
