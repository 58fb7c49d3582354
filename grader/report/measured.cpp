#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/words.h"
#include "report/text.h"

namespace labkit::report {
namespace {

using explain::figure_of;

std::string percent(double part) { return part > 0 ? fmt::format("{:.0f}%", 100 * part) : "-"; }

std::string interval(const std::optional<grade::Interval>& ratio) {
  return ratio ? explain::interval_text(*ratio) : "-";
}

/// The median run's; null if no run measured it.
const grade::Measurement* median_run(const grade::SolutionRuns& solution, const std::string& test) {
  std::vector<const grade::Measurement*> found;
  for (const grade::LabResult& run : solution.runs)
    for (const grade::TestResult& result : run.tests)
      if (result.name == test && result.measured) found.push_back(&*result.measured);
  if (found.empty()) return nullptr;
  std::ranges::sort(found, {}, [](const auto* m) { return figure_of(m->figures, "time_us"); });
  return found[found.size() / 2];
}

std::string witness_text(const grade::GateWitness& witness) {
  return fmt::format("{} {}", witness.file, explain::interval_text(witness.ratio));
}

std::string launches(const CalibratedLab& calibrated) {
  std::string text =
      "| solution | test | us | GB/s | of peak | of the copy (95%) | of the best copy (95%) | "
      "samples |\n| --- | --- | --: | --: | --: | --: | --: | --: |\n";
  for (const grade::SolutionRuns& solution : calibrated.solutions)
    for (const grade::Test& test : calibrated.lab.tests)
      if (const grade::Measurement* m = median_run(solution, test.name))
        text += fmt::format("| {} | {} | {:.1f} | {:.0f} | {} | {} | {} | {} |\n", solution.file,
                            test.name, figure_of(m->figures, "time_us"),
                            figure_of(m->figures, "bandwidth_gbps"),
                            percent(figure_of(m->figures, "share_of_peak")), interval(m->ratio),
                            interval(m->best_ratio), m->samples);
  return text;
}

std::string limits(const CalibratedLab& calibrated) {
  std::string text =
      "| gate | size | limit | window | slowest correct solution | "
      "fastest slow solution below it | stopped by a counter |\n"
      "| --- | --- | --: | --- | --- | --- | --- |\n";
  for (const grade::GpuGate& gate : calibrated.gates.gates) {
    const std::string told = joined(gate.told_by_counters);
    text += fmt::format(
        "| {} | {} | {} | {:.3f} to {:.3f} | {} | {} | {} |\n", gate.name,
        explain::sizes_text(gate.size), gate.min ? fmt::format("{:.3g}", *gate.min) : "none",
        gate.window_low, gate.window_high, witness_text(gate.slowest_right),
        gate.fastest_wrong ? witness_text(*gate.fastest_wrong) : "-", told.empty() ? "-" : told);
  }
  return text;
}

}  // namespace

std::string measured_markdown(const std::vector<CalibratedLab>& labs) {
  if (labs.empty()) return {};
  const grade::GpuGates& how = labs.front().gates;
  std::string text = fmt::format(
      "# Measured on {}\n\nDriver {}, {}, {} run{} of `{}`. GB/s is useful bytes over the median "
      "time (1 GB = 1e9 bytes). The copy has the kernel's launch shape; the best copy is the "
      "faster of a copy with 16 bytes per thread and the driver's own. The L2 is flushed before "
      "each sample; kernel and copies take turns. The window of a limit runs from the ratio of the "
      "fastest slow solution / 0.9 to that of the slowest correct one / 1.1, with the intervals of "
      "all runs.\n",
      how.gpu, how.driver, how.date, how.runs, how.runs == 1 ? "" : "s", how.command);
  for (const CalibratedLab& calibrated : labs)
    text += fmt::format("\n## {}: {}\n\n{}\n{}", calibrated.lab.id, calibrated.lab.title,
                        launches(calibrated), limits(calibrated));
  return text;
}

}  // namespace labkit::report
