// A median and how well it is known: one rule for the devices, which stop by it, and for what is
// reported.
#pragma once
#include <span>

namespace labkit {

/// `low` and `high` hold the median of what the samples were drawn from with 95% confidence (order
/// statistics: Conover, Practical Nonparametric Statistics, 3.2); with fewer than 6 samples they are
/// the whole range.
struct MedianInterval {
  double value = 0, low = 0, high = 0;
  /// How far the interval reaches to its farther side, relative to the median; 0 if that is 0.
  double relative_reach() const;
};
/// All 0 for no samples. NaN in is NaN out.
MedianInterval median_interval(std::span<const double> samples);

}  // namespace labkit
