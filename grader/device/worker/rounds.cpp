#include <numeric>
#include <utility>

#include "base/median.h"
#include "base/random.h"
#include "device/worker/window.h"

namespace labkit::device::cuda {

std::vector<std::size_t> order_of_round(std::uint32_t round, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random_bits(round, i) % i]);
  return order;
}

bool is_settled(const std::vector<std::vector<double>>& times, double enough) {
  if (times.empty() || times[0].empty()) return false;
  if (times.size() == 1) return median_interval(times[0]).relative_reach() <= enough;
  for (std::size_t i = 1; i < times.size(); ++i) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < times[i].size(); ++r) ratios.push_back(times[0][r] / times[i][r]);
    if (!(median_interval(ratios).relative_reach() <= enough)) return false;
  }
  return true;
}

}  // namespace labkit::device::cuda
