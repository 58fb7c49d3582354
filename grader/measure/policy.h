// How often to time a launch and what to make of the samples. A policy has a name and stands in
// reports.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace labkit::measure {

struct Policy {
  std::string name;
  std::string about;
  device::Repetition repetition;
};

/// "once": one sample, for devices whose times are deterministic.
/// "median": samples until the median is known to 1%, at least 15, at most 200, after 3 warm-ups
/// that look like samples. Throws labkit::Error naming the policies there are.
const Policy& find_policy(std::string_view name);
/// The policy a device is measured with unless another is asked for.
const Policy& default_policy(const device::Description& device);

/// Times in microseconds. The interval holds the median with 95% confidence (order statistics:
/// Conover, Practical Nonparametric Statistics, 3.2); with fewer than 6 samples it is their whole
/// range.
struct Timing {
  double median_us = 0, low_us = 0, high_us = 0;
  std::size_t samples = 0;
  double relative_error() const { return median_us > 0 ? (high_us - low_us) / (2 * median_us) : 0; }
};
/// Throws labkit::Error if there are no samples or one is not a positive number: a broken clock is
/// never a fast kernel.
Timing summarise(std::span<const double> times_us);

}  // namespace labkit::measure
