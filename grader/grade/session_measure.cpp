// Session's part about time: what is predicted or measured of a graded launch, and the gates it is
// held against.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "grade/policy.h"
#include "grade/session.h"
#include "grade/slowness.h"

namespace labkit::lab {
namespace {

/// GateResult::missing where the blocks are too different (timing/likeness.h).
constexpr const char* kNoTime =
    "no time can be predicted, since a few blocks do work of another kind than most; let every "
    "block "
    "run the same code, or share the work evenly";

/// time_us, bandwidth_gbps and so on, but for the ratios.
Figures time_figures(const lab::Comparison& comparison) {
  Figures figures;
  figures["time_us"] = comparison.timing.median_us;
  figures["bandwidth_gbps"] = comparison.bytes_per_second / 1e9;
  if (comparison.same_shape) figures["copy_us"] = comparison.same_shape->timing.median_us;
  if (comparison.best) figures["best_copy_us"] = comparison.best->timing.median_us;
  if (comparison.driver) figures["driver_copy_us"] = comparison.driver->timing.median_us;
  if (comparison.share_of_peak > 0) figures["share_of_peak"] = comparison.share_of_peak;
  return figures;
}

}  // namespace

lab::Baseline Session::baseline(const Case& one, bool on_gpu) const {
  // A test held against the best copy alone chose its own shape, or saturates the memory: no copy of
  // that shape is its measure, and simulating one would be for nothing.
  const auto speaks_of = [&](std::string_view figure) {
    return std::any_of(test_->gates.begin(), test_->gates.end(),
                       [&](const Gate& gate) { return gate.figure == figure; });
  };
  const std::uint64_t asked = on_gpu ? test_->gpu_copy_bytes : test_->copy_bytes;
  lab::Baseline made{.same_shape = std::nullopt, .copy_bytes = asked ? asked : useful_bytes(one)};
  if (speaks_of("ratio") || !speaks_of("best_ratio"))
    made.same_shape = lab::CopyShape{.block = test_->block,
                                     .elements_a_thread = test_->elements_a_thread,
                                     .element = test_->element,
                                     .best = false};
  return made;
}

void Session::record_prediction(const Case& one, const device::Outcome& outcome) {
  if (!outcome.counters)
    throw Error("the simulator gave no counters", "report this: it is a fault of the kit");
  lab::Subject subject;
  subject.useful_bytes = useful_bytes(one);
  const lab::Comparison predicted = lab::compare_predicted(
      *devices_.simulator, outcome, subject, baseline(one, false), options_.cache_directory);
  Figures& figures = current_->figures;
  figures = counter_figures(*outcome.counters, useful_bytes(one));
  for (const auto& [name, value] : time_figures(predicted)) figures[name] = value;
  if (predicted.ratio) figures["ratio"] = predicted.ratio->value;
  figures["best_ratio"] = predicted.best_ratio->value;
  current_->time_is_predicted = predicted.predicted;
  current_->registers = outcome.registers;
  if (!outcome.prediction) return;
  current_->time_bound = outcome.prediction->bound;
  current_->time_unlike = outcome.prediction->unlike;
  for (const timing::Share& share : outcome.prediction->shares)
    if (share.name == current_->time_bound) current_->time_bound_part = share.part;
}

Sizes Session::gpu_sizes(const Case& small) const {
  const auto facts = devices_.gpu->describe().facts;
  const auto small_bytes = static_cast<double>(small.array_bytes());
  Sizes sizes = test_->gpu_size;
  while (facts && facts->max_bytes > 0 && sizes != test_->size) {
    double bytes = small_bytes;  // of the kernel's arrays, no less than they will be
    for (const auto& [name, value] : sizes)
      bytes *= static_cast<double>(value) / std::max(1, test_->size.at(name));
    // The copy of the same shape and the best one each have an input and an output.
    const double copies =
        2 * (test_->gpu_copy_bytes ? static_cast<double>(test_->gpu_copy_bytes) : bytes);
    if (bytes + copies <= static_cast<double>(facts->max_bytes)) break;
    for (auto& [name, value] : sizes) value = std::max(test_->size.at(name), value / 2);
  }
  return sizes;
}

bool Session::measure_on_gpu(const std::function<Case()>& make, const Case& small) {
  const Sizes sizes = gpu_sizes(small);
  sizes_ = &sizes;
  const Case one = make();
  sizes_ = &test_->size;
  if (!usable(one)) return false;
  lab::Subject subject;
  subject.plan = make_plan({one}, Purpose::grade_on_gpu);
  subject.useful_bytes = useful_bytes(one);
  subject.compulsory_bytes = one.array_bytes();
  const lab::Measured measured = lab::compare_measured(
      *devices_.gpu, std::move(subject), baseline(one, true), options_.cache_directory);
  if (!judge(one, measured.outcome, true, false)) return false;
  const lab::Comparison& comparison = *measured.comparison;
  Measurement made{.gpu = gpu_name_,
                   .size = sizes,
                   .figures = time_figures(comparison),
                   .ratio = comparison.ratio,
                   .best_ratio = comparison.best_ratio,
                   .samples = comparison.timing.samples,
                   .conditions = comparison.conditions.value_or(device::Conditions{}),
                   .undecided = comparison.undecided,
                   .information = {}};
  if (!gates_)
    made.information =
        fmt::format("no limits are confirmed for {}, so the simulator's verdict counts", gpu_name_);
  current_->measured = std::move(made);
  return true;
}

void Session::keep_detail(const Case& one, const device::Outcome* outcome) {
  if (!options_.details || (outcome && !outcome->completed)) return;
  LaunchDetail detail;
  detail.useful_bytes = static_cast<double>(useful_bytes(one));
  detail.compulsory_bytes = static_cast<double>(one.array_bytes());
  const bool counted = outcome && outcome->counters;
  if (counted) {
    detail.counters = *outcome->counters;
    detail.prediction = outcome->prediction;
    detail.registers = outcome->registers;
  }
  if (!counted || !current_->verdict.passed() || options_.samples_of_passed) {
    device::Plan plan = make_plan({one}, Purpose::grade);
    for (launch::Buffer& buffer : plan.buffers) buffer.is_output = false;
    plan.launches[0].want_time = false;
    plan.launches[0].want_counters = !counted;
    plan.launches[0].want_samples = true;
    plan.launches[0].check_drawn_blocks = false;
    device::Outcome again = devices_.simulator->run(plan).at(0);
    if (!again.completed) return;  // only where blocks race for it: there is nothing to show then
    if (again.counters) detail.counters = std::move(*again.counters);
    detail.samples = std::move(again.samples);
  }
  current_->detail = std::make_shared<const LaunchDetail>(std::move(detail));
}

void Session::apply_gates(const Case& one, const device::Outcome& outcome) {
  for (const Gate& gate : test_->gates) {
    const auto value = current_->figures.find(gate.figure);
    if (value == current_->figures.end())
      throw Error(fmt::format("gate {}: the device gave no {}", gate.name, gate.figure),
                  "report this: it is a fault of the kit");
    GateResult result;
    result.name = gate.name;
    result.figure = gate.figure;
    result.reason = gate.reason;
    result.next = gate.next;
    result.is_minimum = gate.is_minimum;
    result.threshold = gate.threshold;
    result.max_points = gate.points;
    result.value = value->second;
    result.missing = missing_basis(gate.figure, *outcome.counters);
    // Written so that a NaN fails.
    result.passed =
        gate.is_minimum ? result.value >= gate.threshold : result.value <= gate.threshold;
    result.passed &= result.missing.empty();
    if (gate.is_ratio() && current_->measured) hold_measured(gate, result);
    if (current_->time_unlike && !result.measured && !is_counted(gate.figure)) {
      result.missing = kNoTime;
      result.passed = false;
    }
    if (!result.passed && result.undecided.empty())
      result.culprit = gate.is_ratio()
                           ? bounding_line(current_->time_bound, *outcome.counters)
                           : worst_line(gate.figure, *outcome.counters, useful_bytes(one));
    current_->gates.push_back(std::move(result));
  }
  // Why a launch is slow no limit says: its line is that of what costs most.
  const auto blame_slowest = [&] {
    if (!current_->slow || !is_specific(*current_->slow)) return;
    for (GateResult& gate : current_->gates)
      if (!gate.passed && gate.undecided.empty() && gate.culprit.where.line == 0)
        gate.culprit.where = current_->slow->where;
  };
  const auto missed =
      std::find_if(current_->gates.begin(), current_->gates.end(),
                   [](const GateResult& gate) { return !gate.passed && gate.undecided.empty(); });
  if (missed != current_->gates.end() && outcome.prediction && !outcome.prediction->unlike)
    current_->slow = diagnose_slowness(
        {.counters = *outcome.counters,
         .prediction = *outcome.prediction,
         .useful_bytes = useful_bytes(one),
         .registers_per_thread = outcome.registers ? outcome.registers->per_thread : 0,
         .shared_bytes_per_block = one.dynamic_shared_bytes},
        missed->figure);
  blame_slowest();
  award_gates(*current_);
}

void Session::hold_measured(const Gate& gate, GateResult& result) const {
  const Measurement& measured = *current_->measured;
  const auto& ratio = gate.figure == "ratio" ? measured.ratio : measured.best_ratio;
  const GpuGate* limit = gates_ ? gates_->find(gate.name) : nullptr;
  if (!ratio)
    result.note = "it was not measured";
  else if (!gates_)
    result.note = measured.information;
  else if (!limit)
    result.note = fmt::format("no limit is confirmed for {}", gpu_name_);
  else if (!limit->min)
    result.note = fmt::format("on {} no limit tells right answers from slow ones", gpu_name_);
  else if (limit->size != measured.size)
    result.note = fmt::format("the limit for {} was confirmed at another size", gpu_name_);
  if (!result.note.empty()) return;
  result.measured = true;
  result.threshold = *limit->min;
  result.value = ratio->value;
  result.interval = *ratio;
  const lab::Decision decision = lab::decide(*ratio, gate.is_minimum, *limit->min);
  result.passed = decision == lab::Decision::holds && measured.undecided.empty();
  if (!measured.undecided.empty())
    result.undecided = measured.undecided;
  else if (decision == lab::Decision::open)
    result.undecided = fmt::format(
        "after {} samples it lies between {:.4g} and {:.4g} (95% interval), on both sides of the "
        "limit",
        measured.samples, ratio->low, ratio->high);
}

}  // namespace labkit::lab
