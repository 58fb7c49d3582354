// judge: the gates of a graded launch, each held against what was counted, predicted or measured; and of the first that is
// missed, what makes the launch slow. Points follow in result.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "device/source_findings.h"
#include "grade/figures.h"
#include "grade/policy.h"
#include "grade/slowness.h"
#include "grade/steps.h"

namespace labkit::grade {
namespace {

using words::Id;

/// Why the GPU's ratio does not decide; none: it does.
words::Message why_not_measured(const Grading& grading, const Measurement& measured,
                                const std::optional<Interval>& ratio, const GpuGate* limit) {
  if (!ratio) return {Id::measured_nothing};
  if (!grading.gates) return measured.information;
  const std::vector<words::Parameter> gpu = {{"gpu", grading.gpu}};
  if (!limit) return {Id::measured_without_limit, gpu};
  if (!limit->min) return {Id::measured_no_window, gpu};
  if (limit->size != measured.size) return {Id::measured_other_size, gpu};
  return {};
}

/// Puts what a GPU measured in place of what was predicted, where its limit for this gate is confirmed.
void hold_measured(const Grading& grading, const Gate& gate, const Measurement& measured,
                   GateResult& result) {
  const auto& ratio = gate.figure == "ratio" ? measured.ratio : measured.best_ratio;
  const GpuGate* limit = grading.gates ? grading.gates->find(gate.name) : nullptr;
  result.note = why_not_measured(grading, measured, ratio, limit);
  if (result.note) return;
  result.measured = true;
  result.threshold = *limit->min;
  result.value = ratio->value;
  result.interval = *ratio;
  const Decision decision = decide(*ratio, gate.is_minimum, *limit->min);
  result.passed = decision == Decision::holds && !measured.undecided;
  if (measured.undecided)
    result.undecided = measured.undecided;
  else if (decision == Decision::open)
    result.undecided = {
        Id::measured_on_both_sides,
        {{"samples", words::count(measured.samples)}, {"low", ratio->low}, {"high", ratio->high}}};
}

/// One gate held against the launch's figures.
GateResult judge_gate(const Grading& grading, const Gate& gate, const Attempt& attempt,
                      const observe::LaunchCounters& counters, const TestResult& test) {
  const auto value = test.figures.find(gate.figure);
  if (value == test.figures.end())
    kit_fault(fmt::format("gate {}: the device gave no {}", gate.name, gate.figure));
  GateResult result;
  result.name = gate.name;
  result.figure = gate.figure;
  result.reason = gate.reason;
  result.next = gate.next;
  result.is_minimum = gate.is_minimum;
  result.threshold = gate.threshold;
  result.max_points = gate.points;
  result.value = value->second;
  result.missing = missing_basis(gate.figure, counters);
  // Written so that a NaN fails.
  result.passed = gate.is_minimum ? result.value >= gate.threshold : result.value <= gate.threshold;
  if (gate.is_ratio() && test.measured) hold_measured(grading, gate, *test.measured, result);
  // the blocks are too different (timing/likeness.h)
  if (test.time_unlike && !result.measured && !is_counted(gate.figure))
    result.missing = {Id::figure_without_time};
  if (result.missing) result.passed = false;
  if (!result.passed && !result.undecided)
    result.culprit = gate.is_ratio() ? bounding_line(test.time_bound, counters)
                                     : worst_line(gate.figure, counters, attempt.useful_bytes);
  return result;
}

}  // namespace

void judge_gates(const Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                 TestResult& result) {
  for (const Gate& gate : grading.running->test->gates)
    result.gates.push_back(judge_gate(grading, gate, attempt, *outcome.counters, result));
  const auto missed = std::ranges::find_if(result.gates, &GateResult::missed);
  if (missed != result.gates.end() && outcome.prediction && !outcome.prediction->unlike)
    result.slow = diagnose_slowness(
        {.counters = *outcome.counters,
         .prediction = *outcome.prediction,
         .useful_bytes =
             counts_sectors(missed->figure) ? attempt.one.array_bytes() : attempt.useful_bytes,
         .limit = missed->is_minimum ? 0 : missed->threshold,
         .registers_per_thread = outcome.registers ? outcome.registers->per_thread : 0,
         .shared_bytes_per_block = attempt.one.dynamic_shared_bytes,
         .may_use_shared = attempt.kernel.shared_memory},
        missed->figure);
  if (result.slow && result.slow->fix.id == words::Id::slow_fix_pad)
    result.slow->fix =
        fix_of_conflict(grading.submission.source, attempt.kernel.name, *result.slow);
  // Why a launch is slow no limit says: its line is that of what costs most.
  if (result.slow && is_specific(*result.slow))
    for (GateResult& gate : result.gates)
      if (gate.missed() && gate.culprit.where.line == 0) gate.culprit.where = result.slow->where;
  award_gates(result);
}

}  // namespace labkit::grade
