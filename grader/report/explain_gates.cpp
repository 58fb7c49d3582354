#include "report/explain_gates.h"

#include <fmt/format.h>

#include <cmath>

#include "explain/comparison.h"
#include "explain/words.h"
#include "report/html_svg.h"

namespace labkit::report {
namespace {

using explain::number;
using html::element;
using html::Markup;
using html::Standing;

Standing standing_of_gate(const lab::GateResult& gate) {
  return gate.passed ? Standing::pass : gate.undecided.empty() ? Standing::slow : Standing::open;
}

Markup picture(const lab::GateResult& gate, const Yardstick& yardstick) {
  if (!gate.missing.empty() || !std::isfinite(gate.value)) return {};
  html::Bullet bullet;
  bullet.value = gate.value;
  if (gate.measured) bullet.interval = {gate.interval.low, gate.interval.high};
  bullet.gate = gate.threshold;
  bullet.is_minimum = gate.is_minimum;
  bullet.naive = yardstick.naive;
  bullet.ideal = yardstick.ideal;
  bullet.reference = yardstick.reference;
  bullet.standing = standing_of_gate(gate);
  Markup key;
  std::string all;
  const auto say = [&](const std::string& kind, const std::string& words) {
    key += element("li", {{"class", kind}}, words);
    all += (all.empty() ? ": " : ", ") + words;
  };
  if (yardstick.naive) say("naive", yardstick.naive_name + " " + number(*yardstick.naive));
  say("yours " + std::string(html::name_of(bullet.standing)), "yours " + number(gate.value));
  if (yardstick.ideal) say("ideal", "ideal " + number(*yardstick.ideal));
  say("limit",
      fmt::format("gate {} {}", gate.is_minimum ? "at least" : "at most", number(gate.threshold)));
  if (yardstick.reference) say("theirs", "reference " + number(*yardstick.reference));
  bullet.label = std::string(explain::title_of(gate.figure)) + all;
  return element("figure", {}, html::bullet(bullet), element("ul", {{"class", "key"}}, key));
}

}  // namespace

html::Markup gate_ladders(const LaunchView& launch, const ExplainView& view,
                          const std::map<std::string, Yardstick>& yardsticks) {
  if (!launch.test || launch.test->gates.empty()) return {};
  Markup ladders;
  for (const bool missed : {true, false})
    for (const lab::GateResult& gate : launch.test->gates) {
      if (gate.passed == missed) continue;
      const auto known = yardsticks.find(launch.test->name + "/" + gate.figure);
      Yardstick yardstick = known == yardsticks.end() ? Yardstick{} : known->second;
      if (!yardstick.ideal)
        yardstick.ideal = explain::ideal_of(gate.figure, launch.detail->counters);
      ladders += element(
          "div", {{"class", "gate"}},
          element("p", {{"class", "lead"}}, html::glyph(standing_of_gate(gate)),
                  html::linked(explain::tell_gate(gate).front(), view.places)),
          picture(gate, yardstick),
          gate.undecided.empty() ? Markup() : element("p", {{"class", "dim"}}, gate.undecided),
          gate.note.empty() ? Markup() : element("p", {{"class", "dim"}}, gate.note));
    }
  return ladders;
}

}  // namespace labkit::report
