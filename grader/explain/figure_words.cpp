// Figures and what sets a launch's time, in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "explain/words.h"
#include "timing/timing.h"
#include "words/render.h"

namespace labkit::explain {

using words::Id;

std::string_view title_of(std::string_view figure) {
  const grade::FigureInfo* info = grade::find_figure(figure);
  return info ? words::row_of(info->title) : figure;
}

std::string device_words(const std::string& device, const std::string& gpu) {
  const std::vector<std::string> simulated = timing::profile_names();
  if (words::language() == words::Language::english || std::ranges::count(simulated, gpu) == 0)
    return device;
  return words::text(Id::device_simulator, {{"gpu", timing::find_profile(gpu).title}});
}

std::vector<std::string> tell_predictions(const grade::LabResult& result) {
  std::vector<std::string> lines, open;
  for (const grade::PredictionResult& one : result.predictions) {
    if (one.guess == 0 && !one.counted) open.push_back(one.constant);
    if (one.guess == 0 || !one.counted) continue;
    lines.push_back(words::text(one.right() ? Id::predicted_right : Id::predicted_wrong,
                                {{"constant", one.constant},
                                 {"guess", number(static_cast<double>(one.guess))},
                                 {"figure", title_of(one.figure)},
                                 {"counted", number(*one.counted)},
                                 {"why", words::translated(one.why)}}));
  }
  if (!open.empty())
    lines.push_back(words::text(
        Id::predictions_open, {{"names", joined(open)},
                               {"file", std::filesystem::path(result.file).filename().string()}}));
  return lines;
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
  const auto digits = [](double value) { return fmt::format("{:.3f}", value); };
  return words::text(Id::figure_interval, {{"value", digits(interval.value)},
                                           {"low", digits(interval.low)},
                                           {"high", digits(interval.high)}});
}

std::string sizes_text(const grade::Sizes& sizes) {
  std::vector<std::string> each;
  for (const auto& [name, value] : sizes) each.push_back(fmt::format("{} = {}", name, value));
  return joined(each);
}

std::vector<std::string> tell_measured(const grade::Measurement& m) {
  std::string line = words::text(
      Id::measured_on, {{"gpu", m.gpu},
                        {"bandwidth", number(std::round(figure_of(m.figures, "bandwidth_gbps")))},
                        {"time", fmt::format("{:.1f}", figure_of(m.figures, "time_us"))}});
  if (const double share = figure_of(m.figures, "share_of_peak"); share > 0)
    line = words::text(Id::measured_peak,
                       {{"text", line}, {"percent", fmt::format("{:.0f}", 100 * share)}});
  if (m.ratio)
    line = words::text(Id::measured_ratio, {{"text", line}, {"ratio", interval_text(*m.ratio)}});
  if (m.best_ratio)
    line = words::text(Id::measured_best_ratio,
                       {{"text", line}, {"ratio", interval_text(*m.best_ratio)}});
  std::vector<std::string> lines = {words::text(
      Id::measured_samples,
      {{"text", line}, {"samples", std::to_string(m.samples)}, {"size", sizes_text(m.size)}})};
  if (m.conditions.disturbed > 0 || m.conditions.waited_seconds >= 1)
    lines.push_back("  " +
                    words::text(Id::measured_rounds_left_out,
                                {{"rounds", fmt::format("{}", m.conditions.disturbed)},
                                 {"seconds", fmt::format("{:.0f}", m.conditions.waited_seconds)}}));
  if (m.undecided)
    lines.push_back(
        "  " + words::text(Id::measured_decides_nothing, {{"why", words::render(m.undecided)}}));
  if (m.information) lines.push_back("  " + words::render(m.information));
  return lines;
}

std::string_view missed_words(std::string_view figure) {
  const grade::FigureInfo* info = grade::find_figure(figure);
  if (info == nullptr || figure.ends_with("copy_us")) return words::row_of(Id::missed_limit);
  if (info->unit == "sectors") return words::row_of(Id::missed_sectors);
  if (figure == "shared_wavefronts") return words::row_of(Id::missed_shared_traffic);
  if (info->unit == "wavefronts") return words::row_of(Id::missed_wavefronts);
  if (figure == "barriers") return words::row_of(Id::missed_barriers);
  if (info->unit == "atomics") return words::row_of(Id::missed_atomics);
  return words::row_of(info->unit == "instructions" ? Id::missed_instructions : Id::missed_time);
}

std::string limit_text(const grade::GateResult& gate) {
  if (gate.missing) return words::render(gate.missing);
  std::string value = number_beside(gate.value, gate), limit = number_beside(gate.threshold, gate);
  if (gate.measured)
    value = words::text(Id::measured_value, {{"value", interval_text(gate.interval)}});
  const std::string_view what = gate.figure == "ratio" ? words::row_of(Id::of_copys_speed)
                                : gate.figure == "best_ratio"
                                    ? words::row_of(Id::of_best_copys_speed)
                                    : title_of(gate.figure);
  const Id most = gate.threshold == 0 ? Id::limit_none : Id::limit_at_most;
  return words::text(gate.is_minimum ? Id::limit_at_least : most,
                     {{"value", value}, {"what", what}, {"limit", limit}});
}

std::vector<std::string> tell_gate(const grade::GateResult& gate) {
  std::vector<std::string> lines = {limit_text(gate)};
  if (gate.max_points > 0)
    lines[0] = words::text(
        Id::limit_points,
        {{"limit", lines[0]}, {"points", number(gate.points)}, {"most", number(gate.max_points)}});
  if (gate.passed) return lines;
  if (gate.undecided) {
    lines.push_back("  " + words::text(Id::limit_open, {{"why", words::render(gate.undecided)}}));
    return lines;
  }
  const std::string where = file_and_line(gate.culprit.where);
  if (!where.empty() && !gate.culprit.instruction.empty()) {
    const std::string value = number(gate.culprit.value);
    lines.push_back(
        "  " + words::text(Id::limit_at,
                           {{"place", where},
                            {"instruction", gate.culprit.instruction},
                            {"value", grade::is_counted(gate.figure)
                                          ? value
                                          : words::text(Id::warps_reach_it, {{"times", value}})}}));
  }
  if (!gate.reason.empty())
    lines.push_back("  " + words::text(Id::lead_why, {{"reason", gate.reason}}));
  if (!gate.next.empty()) lines.push_back("  " + words::text(Id::lead_next, {{"next", gate.next}}));
  return lines;
}

std::string_view words_of_share(std::string_view name) {
  return words::row_of("share_" + replace_all(std::string(name), " ", "_"));
}

namespace {

std::string largest_text(const std::vector<timing::Share>& shares, std::string_view but) {
  std::string text;
  int told = 0;
  for (const timing::Share& share : shares)
    if (share.part >= 0.05 && share.name != but && told++ < 4)
      text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", share.name, 100 * share.part);
  return text;
}

}  // namespace

std::string shares_text(const timing::Prediction& prediction) {
  return largest_text(prediction.shares, "");
}
std::string stalls_text(const timing::Prediction& prediction) {
  return largest_text(prediction.stalls, timing::kStallNames[0]);
}

std::string_view advice_of(const timing::Prediction& prediction) {
  if (prediction.shares.empty()) return {};
  return words::row_of("advice_" + replace_all(prediction.shares.front().name, " ", "_"));
}

std::string registers_text(const device::Registers& registers) {
  const std::string count = fmt::format("{}", registers.per_thread);
  if (!registers.by.empty())
    return words::text(registers.spilled_bytes ? Id::registers_spilled : Id::registers_counted,
                       {{"count", count},
                        {"bytes", fmt::format("{}", registers.spilled_bytes)},
                        {"by", registers.by}});
  std::string text = words::text(Id::registers_estimated, {{"count", count}});
  if (registers.estimate_capped) text = words::text(Id::registers_capped, {{"text", text}});
  if (!registers.why_estimated.empty())
    text = words::text(Id::registers_why, {{"text", text}, {"why", registers.why_estimated}});
  return text;
}

std::string sectors_text(const grade::Figures& figures) {
  return fmt::format("{:.3g}/{:.3g}", figure_of(figures, "load_sectors_per_request"),
                     figure_of(figures, "store_sectors_per_request"));
}

std::string wavefronts_text(const grade::Figures& figures) {
  const double loads = figure_of(figures, "shared_load_wavefronts_per_request"),
               stores = figure_of(figures, "shared_store_wavefronts_per_request");
  return loads + stores > 0 ? fmt::format("{:.3g}/{:.3g}", loads, stores) : "";
}

std::string ratio_text(const grade::Figures& figures) {
  const double ratio = figure_of(figures, "ratio", figure_of(figures, "best_ratio"));
  return ratio > 0 ? fmt::format("{:.2f}", ratio) : "";
}

}  // namespace labkit::explain
