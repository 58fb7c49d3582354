#include "measure/policy.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace labkit::measure {
namespace {

const std::vector<Policy>& policies() {
  static const std::vector<Policy> all = {
      {"once", "one sample of a deterministic device", {}},
      {"median",
       "median of 15 to 200 samples, until it is known to 1%",
       {.warmups = 3, .min_samples = 15, .max_samples = 200, .enough_relative_error = 0.01}},
  };
  return all;
}

}  // namespace

const Policy& find_policy(std::string_view name) {
  std::string known;
  for (const Policy& policy : policies()) {
    if (policy.name == name) return policy;
    known += " " + policy.name;
  }
  throw Error("unknown measuring policy '" + std::string(name) + "'", "there are:" + known);
}

const Policy& default_policy(const device::Description& device) {
  return find_policy(device.deterministic ? "once" : "median");
}

Timing summarise(std::span<const double> times_us) {
  if (times_us.empty()) throw Error("a launch was to be timed, but the device gave no time");
  std::vector<double> sorted(times_us.begin(), times_us.end());
  for (const double time : sorted)
    if (!std::isfinite(time) || time <= 0)
      throw Error("the device gave a time that is not positive");
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  Timing timing;
  timing.samples = n;
  timing.median_us = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  // Ranks n/2 -+ 1.96 sqrt(n)/2, rounded outwards.
  const double half_width = 0.98 * std::sqrt(static_cast<double>(n)),
               middle = static_cast<double>(n) / 2;
  const auto low = static_cast<std::ptrdiff_t>(std::floor(middle - half_width)) - 1;
  const auto high = static_cast<std::ptrdiff_t>(std::ceil(middle + half_width));
  timing.low_us = sorted[static_cast<std::size_t>(std::max<std::ptrdiff_t>(low, 0))];
  timing.high_us = sorted[std::min(static_cast<std::size_t>(high), n - 1)];
  return timing;
}

}  // namespace labkit::measure
