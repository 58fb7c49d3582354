// Times: what is predicted or measured of a graded launch, and the gates it is held against.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "device/source_findings.h"
#include "grade/comparison.h"
#include "grade/policy.h"
#include "grade/slowness.h"
#include "grade/steps.h"

namespace labkit::grade {
namespace {

using words::Id;

/// time_us, bandwidth_gbps and so on, but for the ratios.
Figures time_figures(const Comparison& comparison) {
  Figures figures;
  figures["time_us"] = comparison.timing.median_us;
  figures["bandwidth_gbps"] = comparison.bytes_per_second / 1e9;
  if (comparison.same_shape) figures["copy_us"] = comparison.same_shape->time_us;
  if (comparison.best) figures["best_copy_us"] = comparison.best->time_us;
  if (comparison.driver) figures["driver_copy_us"] = comparison.driver->time_us;
  if (comparison.share_of_peak > 0) figures["share_of_peak"] = comparison.share_of_peak;
  return figures;
}

/// What the launch's time is held against.
Baseline baseline_of(const Test& test, const Attempt& attempt, bool on_gpu) {
  // A test held against the best copy alone chose its own shape, or saturates the memory: no copy of
  // that shape is its measure, and simulating one would be for nothing.
  const auto has_gate_on = [&](std::string_view figure) {
    return std::ranges::find(test.gates, figure, &Gate::figure) != test.gates.end();
  };
  const std::uint64_t asked = on_gpu ? test.gpu_copy_bytes : test.copy_bytes;
  Baseline made{.same_shape = std::nullopt, .copy_bytes = asked ? asked : attempt.useful_bytes};
  if (has_gate_on("ratio") || !has_gate_on("best_ratio"))
    made.same_shape = CopyShape{
        .block = test.block, .elements_a_thread = test.elements_a_thread, .element = test.element};
  return made;
}

/// Sizes for the GPU: those of lab.toml, halved until what they need has room there.
Sizes gpu_sizes(const device::Device& gpu, const Test& test, const Case& small) {
  const auto facts = gpu.describe().facts;
  const auto small_bytes = static_cast<double>(small.array_bytes());
  Sizes sizes = test.gpu_size;
  while (facts && facts->max_bytes > 0 && sizes != test.size) {
    double bytes = small_bytes;  // of the kernel's arrays, no less than they will be
    for (const auto& [name, value] : sizes)
      bytes *= static_cast<double>(value) / std::max(1, test.size.at(name));
    // The copy of the same shape and the best one each have an input and an output.
    const double copies =
        2 * (test.gpu_copy_bytes ? static_cast<double>(test.gpu_copy_bytes) : bytes);
    if (bytes + copies <= static_cast<double>(facts->max_bytes)) break;
    for (auto& [name, value] : sizes) value = std::max(test.size.at(name), value / 2);
  }
  return sizes;
}

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

/// What the film is to show: the first error, or what stopped the launch, where that is a consequence of it.
const launch::Finding* finding_to_film(const std::vector<launch::Finding>& findings) {
  using enum launch::FindingKind;
  const launch::Finding* const first = launch::first_error(findings);
  if (!first || first->kind == race) return first;
  const auto stopped = std::ranges::find_if(findings, [](const launch::Finding& finding) {
    return finding.severity == launch::Severity::error && finding.kind != race &&
           finding.kind != uninitialized && finding.kind != launch && finding.kind != unsupported;
  });
  return stopped == findings.end() ? nullptr : &*stopped;
}

/// Of its budget, for the film of a launch that did not end: what makes a loop endless shows in its first iterations.
constexpr std::uint64_t kPartFilmed = 8;

}  // namespace

void record_prediction(const Grading& grading, const Attempt& attempt,
                       const device::Outcome& outcome, TestResult& result) {
  if (!outcome.counters) kit_fault("the simulator gave no counters");
  const GradingOptions& options = grading.options;
  const Comparison predicted = compare_predicted(
      *grading.devices.simulator, outcome, attempt.useful_bytes,
      baseline_of(*grading.running->test, attempt, false),
      options.copies_directory.empty() ? options.cache_directory : options.copies_directory);
  result.figures = counter_figures(*outcome.counters, attempt.useful_bytes);
  result.figures.merge(time_figures(predicted));
  if (predicted.ratio) result.figures["ratio"] = predicted.ratio->value;
  result.figures["best_ratio"] = predicted.best_ratio->value;
  result.time_is_predicted = predicted.predicted;
  result.registers = outcome.registers;
  if (!outcome.prediction) return;
  result.time_bound = outcome.prediction->bound;
  result.time_unlike = outcome.prediction->unlike;
  for (const timing::Share& share : outcome.prediction->shares)
    if (share.name == result.time_bound) result.time_bound_part = share.part;
}

bool measure_on_gpu(Grading& grading, const std::function<Case()>& make, const Case& small) {
  RunningTest& running = *grading.running;
  const Sizes sizes = gpu_sizes(*grading.devices.gpu, *running.test, small);
  running.sizes = &sizes;
  const Case one = make();
  running.sizes = &running.test->size;
  if (!is_ready(grading, one)) return false;
  const Attempt attempt = attempt_of(grading, one);
  Subject subject{.plan = gpu_plan(grading, {attempt}),
                  .useful_bytes = attempt.useful_bytes,
                  .compulsory_bytes = one.array_bytes()};
  // large inputs stay on the GPU, which says whether they were written to
  for (launch::Buffer& buffer : subject.plan.buffers)
    buffer.is_output = buffer.fill != launch::Fill::given;
  const Measured measured =
      compare_measured(*grading.devices.gpu, std::move(subject),
                       baseline_of(*running.test, attempt, true), grading.options.cache_directory);
  if (!judge(grading, attempt, measured.outcome, Place::gpu_without_inputs)) return false;
  const Comparison& comparison = *measured.comparison;
  running.result->measured =
      Measurement{.gpu = grading.gpu,
                  .size = sizes,
                  .figures = time_figures(comparison),
                  .ratio = comparison.ratio,
                  .best_ratio = comparison.best_ratio,
                  .samples = comparison.timing.samples,
                  .conditions = comparison.conditions.value_or(device::Conditions{}),
                  .undecided = comparison.undecided,
                  .information = {}};
  if (!grading.gates)
    running.result->measured->information = {Id::measured_without_limits, {{"gpu", grading.gpu}}};
  return true;
}

void keep_detail(Grading& grading, const Attempt& attempt, const device::Outcome* outcome) {
  const GradingOptions& options = grading.options;
  TestResult& result = *grading.running->result;
  const bool is_stopped = outcome && !outcome->completed;
  if (!options.details || (is_stopped && !options.for_page)) return;
  LaunchDetail detail;
  detail.useful_bytes = static_cast<double>(attempt.useful_bytes);
  detail.compulsory_bytes = static_cast<double>(attempt.one.array_bytes());
  const bool counted = outcome && outcome->counters;
  if (counted) {
    detail.counters = *outcome->counters;
    detail.prediction = outcome->prediction;
    detail.registers = outcome->registers;
  }
  if (!counted || !result.verdict.passed() || options.for_page) {
    device::Plan plan = graded_plan(grading, grading.submission.build, attempt);
    for (launch::Buffer& buffer : plan.buffers) buffer.is_output = false;
    device::PlannedLaunch& launch = plan.launches[0];
    launch.want_time = launch.check_drawn_blocks = false;
    if (is_stopped) {
      launch.want_counters = false;
      if (auto film = film_of(*grading.devices.simulator, std::move(plan), result.findings);
          film && film->stop)
        result.detail = std::make_shared<const LaunchDetail>(detail_of_stopped(std::move(*film)));
      return;
    }
    launch.want_counters = !counted;
    launch.want_samples = true;
    device::Outcome again = grading.devices.simulator->run(plan).at(0);
    if (!again.completed) return;  // only where blocks race for it: there is nothing to show then
    if (again.counters) detail.counters = std::move(*again.counters);
    detail.samples = std::move(again.samples);
    if (options.for_page)
      detail.film = film_of(*grading.devices.simulator, std::move(plan), result.findings);
  }
  result.detail = std::make_shared<const LaunchDetail>(std::move(detail));
}

std::optional<observe::Film> film_of(device::Device& simulator, device::Plan plan,
                                     const std::vector<launch::Finding>& findings) {
  device::PlannedLaunch& launch = plan.launches[0];
  launch.want_film = true;
  if (const launch::Finding* const found = finding_to_film(findings)) {
    launch.filmed_finding = *found;
    if (found->kind == launch::FindingKind::budget) launch.thread_instruction_budget /= kPartFilmed;
  }
  return simulator.run(plan).at(0).film;
}

void apply_gates(const Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
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
