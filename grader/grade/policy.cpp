#include "grade/policy.h"

#include <cmath>

#include "base/error.h"

namespace labkit::grade {
namespace {

const Policy kOnce;
const Policy kPaired = {
    .repetition = {.warmups = 3,       // the first loads the code and lets the clocks rise
                   .min_samples = 21,  // the interval spans the 6th to the 16th, no outliers
                   // Where 300 do not narrow the median to 1%, more would not: the noise is no
                   // longer noise between rounds.
                   .max_samples = 300,
                   .enough_relative_error = 0.01,
                   .max_seconds = 10,  // of kernels that take 30 ms a launch there are 100 samples
                   .max_wait_seconds = 60},  // that a student may be kept waiting; a choice
    // The peak follows from a clock and a bus width that the driver rounds, and an event resolves
    // half a microsecond of some tens.
    .roofline_part = 0.95};

}  // namespace

const Policy& default_policy(const device::Description& device) {
  return device.deterministic ? kOnce : kPaired;
}

Interval median_of(std::span<const double> samples) {
  if (samples.empty()) throw Error("a launch was to be timed, but the device gave no time");
  for (const double sample : samples)
    if (!std::isfinite(sample) || sample <= 0)
      throw Error("the device gave a time that is not positive");
  return median_interval(samples);
}

Timing summarise(std::span<const double> times_us) {
  const Interval median = median_of(times_us);
  return {.median_us = median.value,
          .low_us = median.low,
          .high_us = median.high,
          .samples = times_us.size()};
}

Decision decide(const Interval& figure, bool is_minimum, double threshold) {
  // Written so that a NaN is open.
  if (is_minimum ? figure.low >= threshold : figure.high <= threshold) return Decision::holds;
  if (is_minimum ? figure.high < threshold : figure.low > threshold) return Decision::fails;
  return Decision::open;
}

double roofline_floor_us(std::uint64_t compulsory_bytes, const device::GpuFacts& gpu) {
  if (gpu.peak_bytes_per_second <= 0 || compulsory_bytes <= gpu.l2_bytes) return 0;
  return static_cast<double>(compulsory_bytes - gpu.l2_bytes) / gpu.peak_bytes_per_second * 1e6;
}

}  // namespace labkit::grade
