#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/line_costs.h"
#include "explain/roofline.h"
#include "explain/time_words.h"
#include "explain/words.h"
#include "grade/policy.h"
#include "report/performance_text.h"
#include "report/printed_text.h"
#include "report/text.h"

namespace labkit::report {
namespace {

using explain::number;

constexpr struct {
  const char *metric, *title;
} kSummary[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global store requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors"},
    {"memory_l2_theoretical_sectors_global", "global sectors"},
    {"memory_l2_theoretical_sectors_global_ideal", "global sectors, ideal"},
    {"memory_l1_wavefronts_shared", "shared wavefronts"},
    {"memory_l1_wavefronts_shared_ideal", "shared wavefronts, ideal"},
    {"ptx_thread_instructions", "PTX thread instructions"},
};

double value_of(const observe::Metrics& metrics, const char* name) {
  const auto at = metrics.find(name);
  return at == metrics.end() ? 0 : at->second;
}

/// The lines, worst first, and the lanes of the worst access; of each access of line `lanes`, if one is named.
std::string lines_text(const device::Outcome& outcome, const Style& style, std::uint32_t lanes) {
  constexpr std::size_t kMostLines = 12;
  const observe::LaunchCounters& counters = *outcome.counters;
  std::string text = line_costs_text(counters, style, "", kMostLines, false);
  if (!text.empty()) text = "\n" + text;
  if (!outcome.samples) return text;
  if (lanes == 0) {
    const auto* worst = explain::worst_of_launch(counters, *outcome.samples);
    if (worst) text += "\n" + worst_access_text(counters, *outcome.samples, *worst, style, "");
    return text;
  }
  std::string pictures;
  for (const observe::InstructionSamples& one : outcome.samples->instructions)
    if (counters.info[one.instruction].line == lanes)
      pictures += "\n" + worst_access_text(counters, *outcome.samples, one, style, "");
  return text +
         (pictures.empty()
              ? fmt::format("\nLine {} makes no access to memory: name one of the table.\n", lanes)
              : pictures);
}

/// What kept a launch from completing, or is to be said of it.
std::string findings_text(const device::Outcome& outcome, const launch::Dim3& block,
                          const Style& style) {
  std::string text;
  for (const launch::Finding& finding : outcome.findings) {
    text += fmt::format("\n{}{}\n", style.bad(launch::name_of(finding.kind)),
                        finding.severity == launch::Severity::warning ? " (warning)" : "");
    for (const std::string& line : explain::tell_finding(finding, block))
      text += printable(trim(line)) + "\n";
  }
  return text;
}

std::string printed_text(const device::Outcome& outcome) {
  constexpr std::size_t kMostLines = 20;
  return outcome.printed.empty() ? ""
                                 : "\nThe kernel printed:\n" +
                                       printed_lines(outcome.printed, kMostLines, "--json FILE");
}

/// Under what conditions it was measured, and what of them casts doubt on it.
std::string conditions_text(const device::Outcome& outcome) {
  const device::Conditions conditions = outcome.conditions.value_or(device::Conditions{});
  std::string text = fmt::format("      {} samples, L2 flushed before each", conditions.rounds);
  if (conditions.sm_clock_mhz > 0)
    text += fmt::format("; clocks {} MHz, memory {} MHz", conditions.sm_clock_mhz,
                        conditions.memory_clock_mhz);
  if (conditions.disturbed > 0)
    text += fmt::format("; {} disturbed rounds thrown away", conditions.disturbed);
  text += "\n";
  if (!conditions.settled) text += "      the median is not known as well as was asked for\n";
  if (!conditions.trouble.empty()) text += "      doubtful: " + conditions.trouble + "\n";
  if (!conditions.watched) text += "      NVML is not there: throttling would not be noticed\n";
  if (outcome.differing_samples > 0)
    text += fmt::format(
        "      outputs of {} samples differ from the first run's: they depend on time or order\n",
        outcome.differing_samples);
  return text;
}

std::string measured_text(const lab::Profile& profile, const Style& style) {
  const device::Outcome& outcome = *profile.measured;
  std::string text = findings_text(outcome, profile.block, style);
  if (outcome.completed && !outcome.times_us.empty()) {
    const lab::Timing time = lab::summarise(outcome.times_us);
    text +=
        fmt::format("\ntime  {} us measured on {} (median; 95% interval {} to {}, least {})\n",
                    number(time.median_us), printable(profile.gpu->gpu), number(time.low_us),
                    number(time.high_us),
                    number(*std::min_element(outcome.times_us.begin(), outcome.times_us.end())));
    text += conditions_text(outcome);
  }
  return text + printed_text(outcome);
}

/// The launch on other GPUs, a row each.
std::string elsewhere_text(const device::Outcome& outcome, const Style& style) {
  if (outcome.elsewhere.empty() || !outcome.prediction) return "";
  std::vector<std::vector<std::string>> rows = {
      {style.dim("us, predicted"), "", style.dim("spent on"), style.dim("warps an SM")}};
  const auto add = [&](const std::string& title, const timing::Prediction& p) {
    rows.push_back({number(p.time_us), title, explain::shares_text(p),
                    fmt::format("{} ({})", p.occupancy.warps_per_sm, p.occupancy.limiter)});
  };
  bool unmeasured = false;
  for (const device::PredictionElsewhere& one : outcome.elsewhere) {
    const std::string title =
        one.title.substr(0, one.title.find(" (")) + (one.gpu_is_measured ? "" : ", not measured");
    unmeasured = unmeasured || !one.gpu_is_measured;
    if (one.prediction)
      add(title, *one.prediction);
    else
      rows.push_back({"-", title, one.why_not, ""});
  }
  return "\nOn other GPUs:\n" + table(rows, {true, false, false, false}) +
         (unmeasured
              ? "Not measured: from datasheets and papers, and how an H200 behaves; the order of\n"
                "kernels on one of them carries further than the times.\n\n"
              : "\n");
}

/// Time as predicted, counters and what the simulation itself took.
std::string simulated_text(const device::Outcome& outcome, const launch::Dim3& block,
                           const Style& style, std::uint32_t lanes) {
  std::string text = findings_text(outcome, block, style);
  if (!outcome.completed) return text;
  text += "\n";
  if (!outcome.times_us.empty()) {
    text += fmt::format("time  {} us{}", number(outcome.times_us.front()),
                        outcome.time_is_predicted ? " (predicted)" : "");
    if (outcome.prediction)
      text += fmt::format(
          ": {}; {} warps an SM, limited by {}", explain::shares_text(*outcome.prediction),
          outcome.prediction->occupancy.warps_per_sm, outcome.prediction->occupancy.limiter);
    text += "\n";
    if (outcome.registers)
      text += fmt::format("      {}\n", printable(explain::registers_text(*outcome.registers)));
    if (outcome.prediction && outcome.prediction->unlike)
      text += fmt::format(
          "      A rough guess: blocks of this launch differ too much ({}) to predict it from "
          "some.\n",
          outcome.prediction->unlike->work);
    if (outcome.prediction)
      if (const std::string_view advice = explain::advice_of(*outcome.prediction); !advice.empty())
        text += fmt::format("      {}\n", advice);
    text += elsewhere_text(outcome, style);
  }
  if (outcome.counters) {
    const observe::Metrics metrics = observe::metrics(*outcome.counters);
    std::vector<std::vector<std::string>> rows;
    for (const auto& [metric, title] : kSummary)
      if (metrics.count(metric))
        rows.push_back({title, number(value_of(metrics, metric)), style.dim(metric)});
    text += table(rows, {false, true, false}) + lines_text(outcome, style, lanes);
  }
  if (outcome.simulation && outcome.simulation->wall_seconds > 0)
    text += fmt::format(
        "\nsimulated in {:.3g} s, {:.2g} thread instructions a second ({}, {} thread{})\n",
        outcome.simulation->wall_seconds,
        static_cast<double>(outcome.simulation->thread_instructions) /
            outcome.simulation->wall_seconds,
        outcome.simulation->simd, outcome.simulation->threads,
        outcome.simulation->threads == 1 ? "" : "s");
  return text;
}

}  // namespace

std::string profile_text(const lab::Profile& profile, const Style& style, std::uint32_t lanes) {
  std::string text = fmt::format("{}  grid {}, block {}", style.bold(printable(profile.kernel)),
                                 launch::to_string(profile.grid), launch::to_string(profile.block));
  if (profile.dynamic_shared_bytes)
    text += fmt::format(", {} bytes of dynamic shared memory", profile.dynamic_shared_bytes);
  text += "\n" + (profile.device.title.empty() ? profile.device.name : profile.device.title) + "\n";
  if (profile.gpu) text += printable(profile.gpu->title) + "\n";
  for (const std::string& note : profile.notes) text += "Note: " + printable(note) + "\n";
  if (!profile.refusal.empty()) {
    text += fmt::format("\n{}: {}\n", style.bad(profile.refusal), printable(profile.message));
    return text + printable(profile.compile_log);
  }
  if (profile.measured) text += measured_text(profile, style);
  if (!profile.simulated) return text;
  if (profile.measured) text += "\nOn the simulator, whose counters are Nsight Compute's:\n";
  text += simulated_text(profile.outcome, profile.block, style, lanes);
  if (const auto roofline = explain::roofline_of(profile); roofline && profile.outcome.completed) {
    text += "\n";
    for (const std::string& sentence : roofline->words) text += sentence + "\n";
  }
  // The GPU's own text was shown already.
  if (!profile.measured) text += printed_text(profile.outcome);
  return text;
}

}  // namespace labkit::report
