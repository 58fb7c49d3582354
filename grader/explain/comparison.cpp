// A figure beside others: one line each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

bool is_per_request(std::string_view figure) { return figure.ends_with("_per_request"); }

std::string value_text(std::string_view figure, double value) {
  return is_per_request(figure) ? fmt::format("{:.1f}", value) : number(value);
}

/// What the accesses of a gate's culprit cost a request, if the gate's own figure is a sum of it; "" for others.
std::string request_figure(const grade::GateResult& gate) {
  const std::string_view op = gate.culprit.instruction;
  const bool load = op.starts_with("ld") || op.starts_with("cp.async");
  if (gate.figure == "excess_global_sectors")
    return load ? "load_sectors_per_request" : "store_sectors_per_request";
  if (gate.figure == "excess_shared_wavefronts")
    return op.starts_with("ld") ? "shared_load_wavefronts_per_request"
                                : "shared_store_wavefronts_per_request";
  return {};
}

/// Whether requests of the test's kernel move as many bytes as the reference's, so that their costs can be compared: the
/// compiler makes wide ones of several narrow ones where it can. A reference without waste costs what is ideal for its own.
bool as_wide_as_reference(const grade::TestResult& test, const std::string& figure, double ideal) {
  const char* const excess =
      figure.starts_with("shared_") ? "excess_shared_wavefronts" : "excess_global_sectors";
  for (const grade::KnownAnswer& answer : test.known) {
    const auto wasted = answer.find(excess), theirs = answer.find(figure);
    if (answer.is_reference() && theirs && wasted == 0.0)
      return std::fabs(*theirs - ideal) <= 0.05 * ideal;
  }
  return true;
}

/// How many bytes requests that cost so much at best move; "" where it is no whole number.
std::string width_text(const std::string& figure, double ideal) {
  // a wavefront passes the 32 banks of 4 bytes once; a sector is 32 bytes
  const double bytes = ideal * (figure.starts_with("shared_") ? 128 : 32);
  return bytes == std::floor(bytes) ? number(bytes) : "";
}

std::string line_of(const grade::TestResult& test, const std::string& figure,
                    const grade::GateResult* gate) {
  constexpr double kNone = -1;
  const double yours = figure_of(test.figures, figure, kNone);
  if (yours == kNone || (!gate && yours == 0)) return {};  // no such requests
  std::vector<std::string> answers;
  const auto add = [&](std::string_view name, double value) {
    answers.push_back(fmt::format(
        "{} {}", name,
        gate && !is_per_request(figure) ? number_beside(value, *gate) : value_text(figure, value)));
  };
  const auto tell_known = [&](bool reference) {
    for (const grade::KnownAnswer& answer : test.known)
      if (answer.is_reference() == reference)
        if (const auto value = answer.find(figure)) add(words::translated(answer.name), *value);
  };
  const double ideal =
      test.detail ? ideal_of(figure, test.detail->counters).value_or(kNone) : kNone;
  const bool alone =
      ideal != kNone && is_per_request(figure) && !as_wide_as_reference(test, figure, ideal);
  if (!alone || gate) tell_known(false);
  add(words::row_of(Id::figure_yours), yours);
  if (ideal != kNone && !(alone && gate)) add(words::row_of(Id::figure_ideal), ideal);
  if (const std::string bytes = alone && !gate ? width_text(figure, ideal) : ""; !bytes.empty())
    answers.back() = words::text(Id::each_of_bytes, {{"value", answers.back()}, {"bytes", bytes}});
  if (!alone || gate) tell_known(true);
  if (gate)
    add(words::row_of(gate->is_minimum ? Id::limit_least : Id::limit_most), gate->threshold);
  return words::text(
      grade::is_counted(figure) ? Id::figures_compared : Id::figures_compared_predicted,
      {{"figure", title_of(figure)}, {"values", joined(answers)}});
}

}  // namespace

std::optional<double> ideal_of(std::string_view figure, const observe::LaunchCounters& counters) {
  if (!is_per_request(figure) && !figure.starts_with("excess_")) return std::nullopt;
  observe::LaunchCounters ideal = counters;
  for (observe::InstructionCounters& c : ideal.instructions) {
    c.global_sectors = c.global_sectors_ideal;
    c.shared_wavefronts = c.shared_wavefronts_ideal;
  }
  if (grade::missing_basis(figure, ideal)) return std::nullopt;
  const grade::Figures figures = grade::counter_figures(ideal);
  const auto at = figures.find(std::string(figure));
  return at == figures.end() ? std::nullopt : std::optional(at->second);
}

std::vector<std::string> tell_comparison(const grade::TestResult& test) {
  std::vector<std::string> lines;
  if (test.known.empty()) return lines;
  const auto add = [&](std::string line) {
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  for (const grade::GateResult& gate : test.gates) {
    if (gate.passed || gate.measured || gate.missing) continue;
    if (const std::string figure = request_figure(gate); !figure.empty())
      add(line_of(test, figure, nullptr));
    add(line_of(test, gate.figure, &gate));
  }
  return lines;
}

}  // namespace labkit::explain
