#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "explain/words.h"
#include "report/explain_view.h"
#include "report/html_svg.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::number;
using html::element;
using html::Markup;
using html::Standing;
using html::tag;
using words::Id;

}  // namespace

Standing standing_of(const grade::GateResult& gate) {
  return gate.passed ? Standing::pass : gate.undecided ? Standing::open : Standing::slow;
}

Markup gate_picture(const grade::GateResult& gate, const Yardstick& yardstick) {
  if (gate.missing || !std::isfinite(gate.value)) return {};
  html::Bullet bullet;
  bullet.value = gate.value;
  if (gate.measured) bullet.interval = {gate.interval.low, gate.interval.high};
  bullet.gate = gate.threshold;
  bullet.is_minimum = gate.is_minimum;
  bullet.naive = yardstick.naive;
  bullet.ideal = yardstick.ideal;
  bullet.reference = yardstick.reference;
  bullet.standing = standing_of(gate);
  Markup key;
  std::string all;
  const auto say = [&](const std::string& kind, const std::string& words) {
    key += tag("li", kind, words);
    all += (all.empty() ? ": " : ", ") + words;
  };
  const auto with = [](Id id, double value) { return words::text(id, {{"value", number(value)}}); };
  if (yardstick.naive)
    say("naive", words::translated(yardstick.naive_name) + " " + number(*yardstick.naive));
  say("yours " + std::string(html::name_of(bullet.standing)), with(Id::page_yours, gate.value));
  if (yardstick.ideal) say("ideal", with(Id::page_ideal, *yardstick.ideal));
  say("limit", words::text(gate.is_minimum ? Id::page_gate_at_least : Id::page_gate_at_most,
                           {{"limit", number(gate.threshold)}}));
  if (yardstick.reference) say("theirs", with(Id::page_reference, *yardstick.reference));
  bullet.label = std::string(explain::title_of(gate.figure)) + all;
  return element("figure", {}, html::bullet(bullet), tag("ul", "key", key));
}

html::Markup gate_ladders(const LaunchView& launch, const ExplainView& view,
                          const std::map<std::string, Yardstick>& yardsticks) {
  if (!launch.test || launch.test->gates.empty()) return {};
  Markup ladders;
  for (const bool missed : {true, false})
    for (const grade::GateResult& gate : launch.test->gates) {
      if (gate.passed == missed) continue;
      const auto known = yardsticks.find(launch.test->name + "/" + gate.figure);
      Yardstick yardstick = known == yardsticks.end() ? Yardstick{} : known->second;
      if (!yardstick.ideal)
        yardstick.ideal = explain::ideal_of(gate.figure, launch.detail->counters);
      ladders += tag("div", "gate",
                     tag("p", "lead", html::glyph(standing_of(gate)),
                         html::linked(explain::tell_gate(gate).front(), view.places)),
                     gate_picture(gate, yardstick),
                     gate.undecided ? tag("p", "dim", words::render(gate.undecided)) : Markup(),
                     gate.note ? tag("p", "dim", words::render(gate.note)) : Markup());
    }
  return ladders;
}

html::Markup bound_bars(const timing::Prediction& prediction,
                        const std::optional<device::Registers>& registers) {
  if (prediction.shares.empty()) return {};
  Markup rows;
  for (const timing::Share& share : prediction.shares) {
    if (share.part < 0.005) continue;
    const bool sets = share.name == prediction.bound;
    rows += element("li", {{"class", sets ? "bound sets" : "bound"}},
                    tag("span", "what", element("b", {}, share.name), " ",
                        tag("span", "dim", explain::words_of_share(share.name))),
                    tag("span", "amount", fmt::format("{:.0f}%", 100 * share.part)),
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
  std::string said =
      words::text(Id::page_predicted, {{"time", number(prediction.time_us)},
                                       {"warps", fmt::format("{}", occupancy.warps_per_sm)},
                                       {"limit", occupancy.limiter}});
  if (registers)
    said = words::beside(said, words::text(Id::page_counted_with,
                                           {{"registers", explain::registers_text(*registers)}}));
  said = words::beside(said, explain::advice_of(prediction));
  return element("p", {}, said) + tag("ul", "bounds", rows) +
         tag("p", "dim", words::row_of(Id::page_what_time_is));
}

html::Markup counter_table(const observe::LaunchCounters& counters) {
  constexpr std::pair<const char*, Id> kMeanings[] = {
#define COUNTER(metric, meaning) {metric, Id::meaning},
#include "report/counters.def"
#undef COUNTER
  };
  const observe::Metrics metrics = observe::metrics(counters);
  Markup rows;
  for (const auto& [metric, meaning] : kMeanings) {
    const double count = explain::figure_of(metrics, metric);
    if (count == 0) continue;  // what a kernel does not use is not asked about
    rows += element("tr", {}, element("th", {{"scope", "row"}}, element("code", {}, metric)),
                    tag("td", "num", number(count)), element("td", {}, words::row_of(meaning)));
  }
  if (rows.empty()) return {};
  return tag(
      "div", "scroll",
      tag("table", "plain counters",
          element(
              "thead", {},
              element("tr", {}, element("th", {{"scope", "col"}}, words::row_of(Id::page_counter)),
                      element("th", {{"scope", "col"}, {"class", "num"}},
                              words::row_of(Id::page_count)),
                      element("th", {{"scope", "col"}}, words::row_of(Id::page_meaning)))),
          element("tbody", {}, rows)));
}

}  // namespace labkit::report
