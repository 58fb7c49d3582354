// Figures, gates and what a GPU measured into words.
#include <fmt/format.h>

#include <cmath>

#include "explain/words.h"

namespace labkit::explain {
namespace {

/// What a figure is called, and what a kernel that misses a limit of it is.
constexpr struct {
  std::string_view figure, title, missed;
} kTitles[] = {
    {"ratio", "bandwidth, as a part of the copy's", "too slow"},
    {"best_ratio", "bandwidth, as a part of the best copy's", "too slow"},
    {"time_us", "time in microseconds", "too slow"},
    {"bandwidth_gbps", "GB/s", "too slow"},
    {"load_sectors_per_request", "sectors per global load request", "too much traffic"},
    {"store_sectors_per_request", "sectors per global store request", "too much traffic"},
    {"shared_load_wavefronts_per_request", "wavefronts per shared load request", "bank conflicts"},
    {"shared_store_wavefronts_per_request", "wavefronts per shared store request",
     "bank conflicts"},
    {"excess_global_sectors", "excess global sectors", "too much traffic"},
    {"excess_global_load_sectors", "excess global load sectors", "too much traffic"},
    {"excess_global_store_sectors", "excess global store sectors", "too much traffic"},
    {"global_load_sectors", "global load sectors", "too much traffic"},
    {"global_store_sectors", "global store sectors", "too much traffic"},
    {"excess_shared_wavefronts", "excess shared wavefronts", "bank conflicts"},
    {"excess_shared_load_wavefronts", "excess shared load wavefronts", "bank conflicts"},
    {"excess_shared_store_wavefronts", "excess shared store wavefronts", "bank conflicts"},
    {"thread_instructions", "PTX thread instructions", "too many instructions"},
};
std::string with_commas(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}
}  // namespace

std::string_view title_of(std::string_view figure) {
  for (const auto& row : kTitles)
    if (row.figure == figure) return row.title;
  return figure;
}

std::string number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::fabs(value) >= 1000 || value == std::floor(value)) {
    const std::string digits = fmt::format("{:.0f}", std::fabs(value));
    return (value < 0 ? "-" : "") + with_commas(digits);
  }
  if (std::fabs(value) >= 100) return fmt::format("{:.1f}", value);
  if (std::fabs(value) >= 0.01) return fmt::format("{:.2f}", value);
  return fmt::format("{:.2g}", value);
}

std::string interval_text(const measure::Interval& interval) {
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", interval.value, interval.low, interval.high);
}

std::vector<std::string> tell_measured(const lab::Measurement& m) {
  const auto figure = [&](const char* name) {
    const auto at = m.figures.find(name);
    return at == m.figures.end() ? 0 : at->second;
  };
  std::string line = fmt::format("measured on {}: {} GB/s in {:.1f} us", m.gpu,
                                 number(std::round(figure("bandwidth_gbps"))), figure("time_us"));
  if (figure("share_of_peak") > 0)
    line += fmt::format(", {:.0f}% of the memory's peak", 100 * figure("share_of_peak"));
  if (m.ratio) line += fmt::format("; {} of the copy", interval_text(*m.ratio));
  if (m.best_ratio) line += fmt::format("; {} of the best copy", interval_text(*m.best_ratio));
  std::string size;
  for (const auto& [name, value] : m.size)
    size += fmt::format("{}{} = {}", size.empty() ? "" : ", ", name, value);
  line += fmt::format("; {} samples at {}", m.samples, size);
  std::vector<std::string> lines = {line};
  if (m.conditions.disturbed > 0 || m.conditions.waited_seconds >= 1)
    lines.push_back(fmt::format("  {} disturbed rounds were left out, after {:.0f} s of waiting",
                                m.conditions.disturbed, m.conditions.waited_seconds));
  if (!m.undecided.empty()) lines.push_back("  it decides nothing: " + m.undecided);
  if (!m.information.empty()) lines.push_back("  " + m.information);
  return lines;
}

std::string_view missed_words(std::string_view figure) {
  for (const auto& row : kTitles)
    if (row.figure == figure) return row.missed;
  return "over a limit";
}

std::string limit_text(const lab::GateResult& gate) {
  if (!gate.missing.empty()) return gate.missing;
  std::string value = number(gate.value), limit = number(gate.threshold);
  if (!gate.passed && value == limit) {  // 0.698 against 0.70 must not read as 0.70 against 0.70
    value = fmt::format("{:.6g}", gate.value);
    limit = fmt::format("{:.6g}", gate.threshold);
  }
  if (gate.measured) value = "measured " + interval_text(gate.interval);
  const std::string_view of = gate.figure == "ratio"        ? "of the copy's speed"
                              : gate.figure == "best_ratio" ? "of the best copy's speed"
                                                            : title_of(gate.figure);
  return gate.is_minimum ? fmt::format("{} {}, {} needed", value, of, limit)
                         : fmt::format("{} {}, at most {} allowed", value, of, limit);
}

std::vector<std::string> tell_gate(const lab::GateResult& gate) {
  const std::string points =
      gate.max_points > 0
          ? fmt::format(" ({} of {} points)", number(gate.points), number(gate.max_points))
          : "";
  std::vector<std::string> lines = {limit_text(gate) + points};
  if (gate.passed) return lines;
  if (!gate.undecided.empty()) {
    lines.push_back("  Not decided: " + gate.undecided);
    return lines;
  }
  const std::string where = file_and_line(gate.culprit.where);
  if (!where.empty() && !gate.culprit.instruction.empty()) {
    const std::string value = number(gate.culprit.value);
    lines.push_back(fmt::format(
        "  at {} ({}): {}", where, gate.culprit.instruction,
        lab::is_counted(gate.figure) ? value : fmt::format("warps reach it {} times", value)));
  }
  if (!gate.reason.empty()) lines.push_back("  Why: " + gate.reason);
  if (!gate.next.empty()) lines.push_back("  Next: " + gate.next);
  return lines;
}
}  // namespace labkit::explain
