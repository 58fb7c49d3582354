#include "base/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace labkit {

double MedianInterval::relative_reach() const {
  return value == 0 ? 0 : std::max(high - value, value - low) / std::fabs(value);
}

MedianInterval median_interval(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  if (std::ranges::any_of(sorted, [](double sample) { return std::isnan(sample); })) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    return {.value = kNan, .low = kNan, .high = kNan};
  }
  std::ranges::sort(sorted);
  const std::size_t n = sorted.size();
  // Ranks n/2 -+ 1.96 sqrt(n)/2, rounded outwards.
  const double half_width = 0.98 * std::sqrt(static_cast<double>(n)),
               middle = static_cast<double>(n) / 2;
  const auto low = static_cast<std::ptrdiff_t>(std::floor(middle - half_width)) - 1;
  const auto high = static_cast<std::ptrdiff_t>(std::ceil(middle + half_width));
  return {.value = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2,
          .low = sorted[static_cast<std::size_t>(std::max<std::ptrdiff_t>(low, 0))],
          .high = sorted[std::min(static_cast<std::size_t>(high), n - 1)]};
}

}  // namespace labkit
