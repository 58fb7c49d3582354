#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "class/pages/student_html.h"
#include "explain/sanitizer_words.h"
#include "explain/words.h"
#include "report/html_svg.h"
#include "words/render.h"

namespace labkit::course {
namespace {

using html::element;
using html::Markup;
using html::Standing;

/// "yours / gate / reference" as a picture and in words. Nothing where there is no figure.
Markup picture(const grade::GateResult& gate, const std::optional<double>& reference) {
  if (gate.missing || !std::isfinite(gate.value)) return {};
  html::Bullet bullet;
  bullet.value = gate.value;
  if (gate.measured) bullet.interval = {gate.interval.low, gate.interval.high};
  bullet.gate = gate.threshold;
  bullet.is_minimum = gate.is_minimum;
  bullet.reference = reference;
  bullet.standing = gate.passed ? Standing::pass : gate.undecided ? Standing::open : Standing::slow;
  const std::string title(explain::title_of(gate.figure));
  const std::string limit = fmt::format("gate {} {}", gate.is_minimum ? "at least" : "at most",
                                        explain::number(gate.threshold));
  const std::string mine = "yours " + explain::number(gate.value);
  bullet.label = title + ": " + mine + ", " + limit;
  Markup key =
      element("li", {{"class", "yours " + std::string(html::name_of(bullet.standing))}}, mine) +
      element("li", {{"class", "limit"}}, limit);
  if (reference) {
    const std::string theirs = "reference " + explain::number(*reference);
    bullet.label += ", " + theirs;
    key += element("li", {{"class", "theirs"}}, theirs);
  }
  return element("figure", {}, html::bullet(bullet), element("ul", {{"class", "key"}}, key));
}

Markup gate_block(const grade::GateResult& gate, const grade::TestResult& test,
                  const StudentLab& lab, const html::Places& places, bool with_words) {
  const auto reference = lab.reference.find(test.name + "/" + gate.figure);
  std::vector<std::string> lines = explain::tell_gate(gate);
  const Markup head = element("p", {{"class", "lead"}},
                              html::glyph(gate.passed       ? Standing::pass
                                          : !gate.undecided ? Standing::slow
                                                            : Standing::open),
                              lines.empty() ? std::string() : lines.front());
  if (!lines.empty()) lines.erase(lines.begin());
  return element("div", {{"class", "gate"}}, head,
                 picture(gate, reference == lab.reference.end() ? std::nullopt
                                                                : std::optional(reference->second)),
                 with_words ? html::explanation(lines, places) : Markup(),
                 gate.note ? element("p", {{"class", "dim"}}, words::render(gate.note)) : Markup());
}

Markup findings(const grade::TestResult& test, const html::Places& places, bool first_is_told) {
  Markup list;
  bool told = first_is_told;
  for (const launch::Finding& finding : test.findings) {
    const bool error = finding.severity == launch::Severity::error;
    if (error && told) {
      told = false;
      continue;
    }
    std::vector<std::string> lines = explain::finding_lines(finding);
    if (finding.count > 1)
      lines.push_back(fmt::format("seen {} times", explain::number(double(finding.count))));
    list += element(
        "li", {},
        html::badge(error ? Standing::wrong : Standing::slow,
                    fmt::format("{}{}", error ? "" : "warning: ", launch::name_of(finding.kind))),
        html::explanation(lines, places));
  }
  if (list.empty()) return {};
  return element("div", {{"class", "findings"}},
                 element("h4", {}, first_is_told ? "Also found" : "Found"),
                 element("ul", {}, list));
}

/// A kernel's own words: quoted, never believed.
Markup printed(const grade::TestResult& test) {
  if (test.printed.empty()) return {};
  return element("div", {{"class", "printed"}}, element("h4", {}, "The kernel printed"),
                 element("pre", {{"class", "log"}, {"tabindex", 0}}, test.printed));
}

Markup body(const grade::TestResult& test, const StudentLab& lab, const html::Places& places) {
  const bool by_gates = test.verdict.kind == "gate";
  const bool failed = !test.verdict.passed() && !test.verdict.neutral();
  Markup inside;
  if (failed && !by_gates) inside += html::explanation(explain::tell_test(test), places);
  if (by_gates && !test.message.empty())
    inside += html::explanation(explain::message_lines(test.message), places);
  for (const bool missed : {true, false})  // what was missed comes first
    for (const grade::GateResult& gate : test.gates)
      if (gate.passed != missed) inside += gate_block(gate, test, lab, places, by_gates);
  if (test.measured) {
    for (const std::string& line : explain::tell_measured(*test.measured))
      inside += element("p", {{"class", "dim"}}, trim(line));
  } else if (!test.gates.empty() && test.time_is_predicted) {
    inside += element("p", {{"class", "dim"}},
                      test.time_bound.empty()
                          ? "Ratios are predicted from exact counters."
                          : fmt::format("Ratios are predicted from exact counters; what bounds the "
                                        "time: {}.",
                                        test.time_bound));
  }
  if (!test.launch.empty() && (by_gates || test.verdict.passed()) && !test.gates.empty())
    inside +=
        element("p", {{"class", "dim"}}, "Launch: " + explain::tell_launch(test.launch.front()));
  inside += findings(test, places, failed && !by_gates);
  inside += printed(test);
  return inside;
}

Markup points(const grade::TestResult& test, int decimals) {
  const std::string most = html::points_number(test.max_points, decimals);
  const std::string extra = test.bonus ? " bonus" : "";
  if (!test.decided() || test.verdict.kind == "not_run")
    return element(
        "span", {{"class", "points blank"}},
        element("span", {{"class", "word"}},
                fmt::format("{} of {}{}", test.decided() ? "not run" : "undecided", most, extra)));
  return element("span", {{"class", "points"}},
                 element("b", {}, html::points_number(test.points, decimals)),
                 element("span", {{"class", "of"}}, fmt::format(" of {}{}", most, extra)));
}

}  // namespace

html::Markup student_tests(const StudentLab& lab, const html::Places& places, int decimals) {
  Markup list;
  bool opened = false;  // the first that failed; the others often fail for the same reason
  for (const grade::TestResult& test : lab.result->tests) {
    const Standing standing = html::standing_of(test.verdict.text());
    const bool failed = !test.verdict.passed() && !test.verdict.neutral();
    const Markup head = html::glyph(standing) +
                        element("span", {{"class", "what"}},
                                element("b", {}, test.name.substr(test.name.find('.') + 1)), " ",
                                element("span", {{"class", "dim"}}, test.about)) +
                        element("span", {{"class", "verdict"}}, test.verdict.text()) +
                        points(test, decimals);
    const Markup inside = body(test, lab, places);
    const std::string kind = "test " + std::string(html::name_of(standing));
    list += inside.empty()
                ? element("li", {{"class", kind}}, element("div", {{"class", "head"}}, head))
                : element("li", {{"class", kind}},
                          element("details", {{"open", failed && !opened}},
                                  element("summary", {{"class", "head"}}, head),
                                  element("div", {{"class", "body"}}, inside)));
    opened |= failed;
  }
  if (list.empty()) return {};
  return element("h3", {}, "Tests") + element("ul", {{"class", "tests"}}, list);
}

}  // namespace labkit::course
