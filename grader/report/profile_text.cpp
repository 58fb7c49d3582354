#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/line_costs.h"
#include "explain/roofline.h"
#include "explain/words.h"
#include "grade/policy.h"
#include "report/performance_text.h"
#include "report/text.h"
#include "words/render.h"

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

/// The lines, worst first, and the lanes of the worst access; of each access of line `lanes`, if one is named.
std::string accesses_text(const device::Outcome& outcome, const Style& style, std::uint32_t lanes) {
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
  if (pictures.empty())
    pictures = fmt::format("\nLine {} makes no access to memory: name one of the table.\n", lanes);
  return text + pictures;
}

/// What kept a launch from completing, or is to be said of it.
std::string findings_text(const device::Outcome& outcome, const launch::Dim3& block,
                          const Style& style) {
  std::string text;
  for (const launch::Finding& finding : outcome.findings) {
    text += fmt::format("\n{}{}\n", style.bad(launch::name_of(finding.kind)),
                        finding.severity == launch::Severity::warning ? " (warning)" : "");
    text += lines_text(explain::tell_finding(finding, block), style, "");
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
std::string conditions_text(const device::Outcome& outcome, const Style& style) {
  const device::Conditions conditions = outcome.conditions.value_or(device::Conditions{});
  std::vector<std::string> lines = {
      fmt::format("{} samples, L2 flushed before each", conditions.rounds)};
  if (conditions.sm_clock_mhz > 0)
    lines[0] += fmt::format("; clocks {} MHz, memory {} MHz", number(conditions.sm_clock_mhz),
                            number(conditions.memory_clock_mhz));
  if (conditions.disturbed > 0)
    lines[0] += fmt::format("; {} disturbed rounds thrown away", conditions.disturbed);
  if (!conditions.settled) lines.emplace_back("the median is not known as well as was asked for");
  if (!conditions.trouble.empty()) lines.push_back("doubtful: " + conditions.trouble);
  if (!conditions.watched) lines.emplace_back("NVML is not there: throttling would not be noticed");
  if (outcome.differing_samples > 0)
    lines.push_back(fmt::format(
        "outputs of {} samples differ from the first run's: they depend on time or order",
        number(outcome.differing_samples)));
  return lines_text(lines, style, "      ");
}

std::string measured_text(const grade::Profile& profile, const Style& style) {
  const device::Outcome& outcome = *profile.measured;
  std::string text = findings_text(outcome, profile.block, style);
  if (outcome.completed && !outcome.times_us.empty()) {
    const grade::Timing time = grade::summarise(outcome.times_us);
    const std::string line =
        fmt::format("time  {} us measured on {} (median; 95% interval {} to {}, least {})",
                    number(time.median_us), profile.gpu->gpu, number(time.low_us),
                    number(time.high_us), number(std::ranges::min(outcome.times_us)));
    text += "\n" + lines_text({line}, style, "") + conditions_text(outcome, style);
  }
  return text + printed_text(outcome);
}

/// The launch on other GPUs, a row each.
std::string elsewhere_text(const device::Outcome& outcome, const Style& style) {
  if (outcome.elsewhere.empty() || !outcome.prediction) return "";
  std::vector<std::vector<std::string>> rows = {
      {style.dim("us, predicted"), "", style.dim("warps per SM"), style.dim("spent on")}};
  const auto add = [&](const std::string& title, const timing::Prediction& p) {
    rows.push_back({number(p.time_us), title,
                    fmt::format("{} ({})", p.occupancy.warps_per_sm, p.occupancy.limiter),
                    explain::shares_text(p)});
  };
  bool unmeasured = false;
  for (const device::PredictionElsewhere& one : outcome.elsewhere) {
    const std::string title =
        one.title.substr(0, one.title.find(" (")) + (one.gpu_is_measured ? "" : ", not measured");
    unmeasured = unmeasured || !one.gpu_is_measured;
    if (one.prediction)
      add(title, *one.prediction);
    else
      rows.push_back({"-", title, "", "a block does not fit on one of its SMs"});
  }
  return "\nOn other GPUs:\n" + table(rows, {true, false, false, false}, style.columns) +
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
    std::string time = fmt::format("time  {} us{}", number(outcome.times_us.front()),
                                   outcome.time_is_predicted ? " (predicted)" : "");
    std::vector<std::string> lines;
    if (outcome.registers) lines.push_back(explain::registers_text(*outcome.registers));
    if (const auto& prediction = outcome.prediction) {
      time += fmt::format(": {}; {} warps per SM, limited by {}", explain::shares_text(*prediction),
                          prediction->occupancy.warps_per_sm, prediction->occupancy.limiter);
      if (prediction->unlike)
        lines.push_back(
            fmt::format("A rough guess: blocks of this launch differ too much ({}) to "
                        "predict it from some.",
                        prediction->unlike->work));
      if (const std::string_view advice = explain::advice_of(*prediction); !advice.empty())
        lines.emplace_back(advice);
      if (const std::string stalls = explain::stalls_text(*prediction); !stalls.empty())
        lines.push_back(fmt::format("Why its warps stall, by Nsight Compute's names: {}.", stalls));
    }
    text += lines_text({time}, style, "") + lines_text(lines, style, "      ");
    text += elsewhere_text(outcome, style);
  }
  if (outcome.counters) {
    const observe::Metrics metrics = observe::metrics(*outcome.counters);
    std::vector<std::vector<std::string>> rows;
    for (const auto& [metric, title] : kSummary)
      if (const auto at = metrics.find(metric); at != metrics.end())
        rows.push_back({title, number(at->second), style.dim(metric)});
    text += table(rows, {false, true, false}, style.columns) + accesses_text(outcome, style, lanes);
  }
  if (const auto& run = outcome.simulation; run && run->wall_seconds > 0) {
    const double a_second = static_cast<double>(run->thread_instructions) / run->wall_seconds;
    text +=
        "\n" + lines_text({fmt::format("simulated in {} s, {} million thread instructions per "
                                       "second ({}, {} thread{})",
                                       number(run->wall_seconds), number(std::ceil(a_second / 1e6)),
                                       run->simd, run->threads, run->threads == 1 ? "" : "s")},
                          style, "");
  }
  return text;
}

}  // namespace

std::string profile_text(const grade::Profile& profile, const Style& style, std::uint32_t lanes) {
  std::string text = fmt::format("{}  grid {}, block {}", style.bold(printable(profile.kernel)),
                                 launch::to_string(profile.grid), launch::to_string(profile.block));
  if (profile.dynamic_shared_bytes)
    text +=
        fmt::format(", {} bytes of dynamic shared memory", number(profile.dynamic_shared_bytes));
  text += "\n";
  std::vector<std::string> about = {profile.device.title.empty() ? profile.device.name
                                                                 : profile.device.title};
  if (profile.gpu) about.push_back(profile.gpu->title);
  for (const std::string& note : explain::profile_notes(profile)) about.push_back("Note: " + note);
  text += lines_text(about, style, "");
  if (!profile.refusal.empty()) {
    text += fmt::format("\n{}: {}\n", style.bad(profile.refusal),
                        printable(words::render(profile.message)));
    return text + printable(profile.compile_log);
  }
  if (profile.measured) text += measured_text(profile, style);
  if (!profile.simulated) return text;
  if (profile.measured) text += "\nOn the simulator, whose counters are Nsight Compute's:\n";
  text += simulated_text(profile.outcome, profile.block, style, lanes);
  if (const auto roofline = explain::roofline_of(profile); roofline && profile.outcome.completed)
    text += "\n" + lines_text(roofline->words, style, "");
  // The GPU's own text was shown already.
  if (!profile.measured) text += printed_text(profile.outcome);
  return text;
}

}  // namespace labkit::report
