#include "report/explain_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "explain/time_words.h"
#include "explain/words.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;

}  // namespace

html::Markup bound_bars(const timing::Prediction& prediction,
                        const std::optional<device::Registers>& registers) {
  if (prediction.shares.empty()) return {};
  Markup rows;
  for (const timing::Share& share : prediction.shares) {
    if (share.part < 0.005) continue;
    const bool sets = share.name == prediction.bound;
    rows +=
        element("li", {{"class", sets ? "bound sets" : "bound"}},
                element("span", {{"class", "what"}}, element("b", {}, share.name), " ",
                        element("span", {{"class", "dim"}}, explain::words_of_share(share.name))),
                element("span", {{"class", "amount"}}, fmt::format("{:.0f}%", 100 * share.part)),
                element("svg",
                        {{"class", "length"},
                         {"viewBox", "0 0 100 6"},
                         {"preserveAspectRatio", "none"},
                         {"aria-hidden", "true"}},
                        element("rect", {{"class", "track"}, {"width", 100}, {"height", 6}}),
                        element("rect", {{"class", sets ? "bar slow" : "bar not-built"},
                                         {"width", std::max(0.4, 100 * share.part)},
                                         {"height", 6}})));
  }
  const timing::Occupancy& occupancy = prediction.occupancy;
  std::string words =
      fmt::format("Predicted: {} us. {} warps fit on an SM, limited by {}.",
                  explain::number(prediction.time_us), occupancy.warps_per_sm, occupancy.limiter);
  if (registers) words += fmt::format(" Counted with {}.", explain::registers_text(*registers));
  if (const std::string_view advice = explain::advice_of(prediction); !advice.empty())
    words += fmt::format(" {}", advice);
  return element("p", {}, words) + element("ul", {{"class", "bounds"}}, rows) +
         element("p", {{"class", "dim"}},
                 "What the time is spent on, along the longest chain of waits: of what takes most, "
                 "less makes the kernel "
                 "faster; of the rest it does not.");
}

}  // namespace labkit::report
