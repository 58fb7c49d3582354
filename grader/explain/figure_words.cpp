// Figures and what sets a launch's time, in words.
#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {

std::string_view title_of(std::string_view figure) {
  const grade::FigureInfo* info = grade::find_figure(figure);
  return info ? words::english_of(info->title) : figure;
}

double figure_of(const grade::Figures& figures, const std::string& name, double otherwise) {
  const auto at = figures.find(name);
  return at == figures.end() ? otherwise : at->second;
}

std::string number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::fabs(value) >= 1000 || value == std::floor(value))
    return (value < 0 ? "-" : "") + words::with_commas(fmt::format("{:.0f}", std::fabs(value)));
  if (std::fabs(value) >= 100) return fmt::format("{:.1f}", value);
  if (std::fabs(value) >= 0.01) return fmt::format("{:.2f}", value);
  return fmt::format("{:.2g}", value);
}

std::string number_beside(double value, const grade::GateResult& gate) {
  if (gate.passed || gate.value == gate.threshold || number(gate.value) != number(gate.threshold))
    return number(value);
  // 0.698 against 0.70 must not read as 0.70 against 0.70
  int digits = 3;
  while (digits < 6 && fmt::format("{:.{}f}", gate.value, digits) ==
                           fmt::format("{:.{}f}", gate.threshold, digits))
    ++digits;
  return fmt::format("{:.{}f}", value, digits);
}

std::string interval_text(const grade::Interval& interval) {
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", interval.value, interval.low, interval.high);
}

std::string sizes_text(const grade::Sizes& sizes) {
  std::vector<std::string> each;
  for (const auto& [name, value] : sizes) each.push_back(fmt::format("{} = {}", name, value));
  return joined(each);
}

std::vector<std::string> tell_measured(const grade::Measurement& m) {
  std::string line = fmt::format("measured on {}: {} GB/s in {:.1f} us", m.gpu,
                                 number(std::round(figure_of(m.figures, "bandwidth_gbps"))),
                                 figure_of(m.figures, "time_us"));
  if (figure_of(m.figures, "share_of_peak") > 0)
    line +=
        fmt::format(", {:.0f}% of the memory's peak", 100 * figure_of(m.figures, "share_of_peak"));
  if (m.ratio) line += fmt::format("; {} of the copy", interval_text(*m.ratio));
  if (m.best_ratio) line += fmt::format("; {} of the best copy", interval_text(*m.best_ratio));
  line += fmt::format("; {} samples at {}", m.samples, sizes_text(m.size));
  std::vector<std::string> lines = {line};
  if (m.conditions.disturbed > 0 || m.conditions.waited_seconds >= 1)
    lines.push_back(fmt::format("  {} disturbed rounds were left out, after {:.0f} s of waiting",
                                m.conditions.disturbed, m.conditions.waited_seconds));
  if (m.undecided) lines.push_back("  it decides nothing: " + words::render(m.undecided));
  if (m.information) lines.push_back("  " + words::render(m.information));
  return lines;
}

std::string_view missed_words(std::string_view figure) {
  const grade::FigureInfo* info = grade::find_figure(figure);
  if (info == nullptr || figure.ends_with("copy_us")) return "over a limit";
  if (info->unit == "sectors") return "too much traffic";
  if (figure == "shared_wavefronts") return "too much shared traffic";
  if (info->unit == "wavefronts") return "bank conflicts";
  if (figure == "barriers") return "too many barriers";
  if (info->unit == "atomics") return "too many atomics";
  return info->unit == "instructions" ? "too many instructions" : "too slow";
}

std::string limit_text(const grade::GateResult& gate) {
  if (gate.missing) return words::render(gate.missing);
  std::string value = number_beside(gate.value, gate), limit = number_beside(gate.threshold, gate);
  if (gate.measured) value = "measured " + interval_text(gate.interval);
  const std::string_view of = gate.figure == "ratio"        ? "of the copy's speed"
                              : gate.figure == "best_ratio" ? "of the best copy's speed"
                                                            : title_of(gate.figure);
  return gate.is_minimum ? fmt::format("{} {}, {} needed", value, of, limit)
                         : fmt::format("{} {}, at most {} allowed", value, of, limit);
}

std::vector<std::string> tell_gate(const grade::GateResult& gate) {
  const std::string points =
      gate.max_points > 0
          ? fmt::format(" ({} of {} points)", number(gate.points), number(gate.max_points))
          : "";
  std::vector<std::string> lines = {limit_text(gate) + points};
  if (gate.passed) return lines;
  if (gate.undecided) {
    lines.push_back("  Not decided: " + words::render(gate.undecided));
    return lines;
  }
  const std::string where = file_and_line(gate.culprit.where);
  if (!where.empty() && !gate.culprit.instruction.empty()) {
    const std::string value = number(gate.culprit.value);
    lines.push_back(fmt::format(
        "  at {} ({}): {}", where, gate.culprit.instruction,
        grade::is_counted(gate.figure) ? value : fmt::format("warps reach it {} times", value)));
  }
  if (!gate.reason.empty()) lines.push_back("  Why: " + gate.reason);
  if (!gate.next.empty()) lines.push_back("  Next: " + gate.next);
  return lines;
}

std::string_view words_of_share(std::string_view name) {
  return words::english_of("share_" + replace_all(std::string(name), " ", "_"));
}

std::string shares_text(const timing::Prediction& prediction) {
  std::string text;
  int told = 0;
  for (const timing::Share& share : prediction.shares)
    if (share.part >= 0.05 && told++ < 4)
      text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", share.name, 100 * share.part);
  return text;
}

std::string_view advice_of(const timing::Prediction& prediction) {
  if (prediction.shares.empty()) return {};
  return words::english_of("advice_" + replace_all(prediction.shares.front().name, " ", "_"));
}

std::string registers_text(const device::Registers& registers) {
  if (!registers.by.empty())
    return fmt::format(
        "{} registers a thread{} ({})", registers.per_thread,
        registers.spilled_bytes
            ? fmt::format(" and {} bytes spilled to local memory", registers.spilled_bytes)
            : "",
        registers.by);
  std::string text = fmt::format("about {} registers a thread, estimated", registers.per_thread);
  if (registers.estimate_capped) text += ", and taken for as many as let a block of this size run";
  if (!registers.why_estimated.empty()) text += ": " + registers.why_estimated;
  return text;
}

}  // namespace labkit::explain
