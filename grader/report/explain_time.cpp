#include "report/explain_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "explain/words.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;

constexpr struct {
  std::string_view bound, words;
} kWords[] = {
    {"DRAM", "moving the bytes between memory and L2"},
    {"L2", "handing sectors from L2 to the SMs"},
    {"stores", "taking in stores: one slot a line, and one for each sector of it"},
    {"L1", "passing sectors through L1"},
    {"shared memory", "passes over the banks of shared memory"},
    {"issue", "issuing the instructions"},
    {"latency", "waiting for memory and barriers, with too few warps to fill the wait"},
    {"one SM", "the busiest block, which one SM has to do alone"},
    {"block starts", "handing blocks out to the SMs"},
    {"atomics", "atomics on the same line, one after another"},
    {"launch", "what even an empty kernel takes"},
};

std::string_view words_of_bound(std::string_view name) {
  for (const auto& [bound, words] : kWords)
    if (bound == name) return words;
  return {};
}

}  // namespace

html::Markup bound_bars(const timing::Prediction& prediction) {
  if (prediction.bounds.empty()) return {};
  const double most = std::max(prediction.time_us, prediction.bounds.front().time_us);
  Markup rows;
  for (const timing::Bound& bound : prediction.bounds) {
    if (bound.time_us <= 0) continue;
    const bool sets = bound.name == prediction.bound;
    rows += element("li", {{"class", sets ? "bound sets" : "bound"}},
                    element("span", {{"class", "what"}}, element("b", {}, bound.name), " ",
                            element("span", {{"class", "dim"}}, words_of_bound(bound.name))),
                    element("span", {{"class", "amount"}},
                            fmt::format("{} us", explain::number(bound.time_us))),
                    element("svg",
                            {{"class", "length"},
                             {"viewBox", "0 0 100 6"},
                             {"preserveAspectRatio", "none"},
                             {"aria-hidden", "true"}},
                            element("rect", {{"class", "track"}, {"width", 100}, {"height", 6}}),
                            element("rect", {{"class", sets ? "bar slow" : "bar not-built"},
                                             {"width", std::max(0.4, 100 * bound.time_us / most)},
                                             {"height", 6}})));
  }
  const timing::Occupancy& occupancy = prediction.occupancy;
  const std::string words =
      fmt::format("Predicted: {} us, most of it for {}. {} warps fit on an SM, limited by {}.",
                  explain::number(prediction.time_us), prediction.bound, occupancy.warps_per_sm,
                  occupancy.limiter);
  return element("p", {}, words) + element("ul", {{"class", "bounds"}}, rows) +
         element(
             "p", {{"class", "dim"}},
             "Each bar is how long the launch would take if nothing else held it up. They overlap: "
             "shortening any but the longest gains little.");
}

}  // namespace labkit::report
