// measure: the predicted and the measured time of a graded launch, and those of the copies that it is held against.
#include <algorithm>

#include "base/error.h"
#include "grade/comparison.h"
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
  if (!compare(grading, attempt, measured.outcome, Place::gpu_without_inputs)) return false;
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

}  // namespace labkit::grade
