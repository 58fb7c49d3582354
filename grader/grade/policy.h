// How often to time a launch and what to make of the samples: every number that measuring depends
// on, in one place.
#pragma once
#include <cstdint>
#include <span>

#include "base/median.h"
#include "device/device.h"

namespace labkit::grade {

struct Policy {
  device::Repetition repetition;
  /// A time below this part of the roofline floor is not believed.
  double roofline_part = 0;
};
/// One sample of a device whose times are deterministic. Of another, rounds of the kernel and its
/// copies in one window, until their ratio is known to 1%.
const Policy& default_policy(const device::Description& device);

/// A median, and the interval that holds it with 95% confidence.
using Interval = MedianInterval;
/// Throws labkit::Error if there are no samples or one is not a positive number: a broken clock is
/// never a fast kernel.
Interval median_of(std::span<const double> samples);

/// Times in microseconds.
struct Timing {
  double median_us = 0, low_us = 0, high_us = 0;
  std::size_t samples = 0;
};
Timing summarise(std::span<const double> times_us);

/// What a figure's interval says of a limit. Wholly on one side it decides, however wide; else the
/// measurement was too noisy for this limit. NaN decides nothing.
enum class Decision : std::uint8_t { holds, fails, open };
Decision decide(const Interval& figure, bool is_minimum, double threshold);

/// The shortest a launch can take that moves `compulsory_bytes`, in microseconds: what must pass
/// through DRAM at its peak. L2 is flushed before each launch, so inputs come from DRAM; outputs may
/// stay in L2 until it is over, so as much as L2 holds is not counted. 0: the peak is not known, or
/// all of it fits.
double roofline_floor_us(std::uint64_t compulsory_bytes, const device::GpuFacts& gpu);

}  // namespace labkit::grade
