// Launches of the running test: what they are launched on, and the budgets that tell an endless kernel from a slow one.
#include <algorithm>

#include "grade/steps.h"

namespace labkit::grade {
namespace {

/// In issue slots, 32 for each instruction of a warp. At the small sizes of check() the slowest right
/// solution takes a quarter of the floor; launches at graded sizes have a `budget` of their own in
/// lab.toml. Small enough that an endless loop is reported within a second.
constexpr std::uint64_t kBudgetFloor = 240'000'000;
constexpr std::uint64_t kBudgetPerWord = 360;
constexpr std::uint64_t kBudgetCeiling = 12'000'000'000;
/// Of all launches of a test of correctness together, and of all in the unoptimised build once more.
constexpr std::uint64_t kChecksBudget = 10'000'000'000;
/// A kernel that did not end in one test gets this part of the budget in the tests after it, and no
/// more than so much for its size: at least a quarter more than the slowest right solution takes, so
/// that what is right there still passes, and what is endless there too costs less.
constexpr std::uint64_t kBudgetPartAfterEndless = 2;
constexpr std::uint64_t kBudgetPerWordAfterEndless = 192;
/// Of a launch on a GPU, of a kernel that did not end there in an earlier test. The first time it has
/// the device's own limit, which is longer.
constexpr double kSecondsAfterEndless = 3;

/// A `budget` of lab.toml is one graded launch's, or each of check()'s.
std::uint64_t budget_of(const Grading& grading, const Attempt& attempt) {
  const Test& test = *grading.running->test;
  const std::uint64_t words = attempt.useful_bytes / 4;
  const std::uint64_t budget =
      test.budget != 0 && !attempt.is_small
          ? test.budget
          : std::min(kBudgetCeiling, kBudgetFloor + kBudgetPerWord * words);
  const auto endless = grading.endless_in.find(attempt.kernel.name);
  if (endless == grading.endless_in.end() || endless->second == test.name) return budget;
  return std::max<std::uint64_t>(1, std::min(budget / kBudgetPartAfterEndless,
                                             kBudgetFloor + kBudgetPerWordAfterEndless * words));
}

LaunchSetup setup_of(const Case& one) {
  LaunchSetup setup;
  setup.launch = {.kernel = one.kernel,
                  .grid = one.grid,
                  .block = one.block,
                  .dynamic_shared_bytes = one.dynamic_shared_bytes};
  for (const Argument& argument : one.arguments) {
    if (!argument.array()) {
      setup.launch.arguments.emplace_back(argument.scalar());
      continue;
    }
    const ArrayData& array = *argument.array();
    launch::Buffer buffer{.name = array.name,
                          .element = array.element,
                          .count = array.rows * array.cols,
                          .is_output = true};  // inputs too: they must come back unchanged
    if (!array.is_output) {
      buffer.fill = launch::Fill::given;
      buffer.shared = {argument.array(), &array.bytes};  // kept alive by the plan, not held twice
    } else if (array.is_zeroed) {
      buffer.fill = launch::Fill::zero;
    }
    setup.add_buffer(std::move(buffer), array.is_vector ? 0 : array.cols);
  }
  return setup;
}

}  // namespace

Attempt attempt_of(const Grading& grading, const Case& one, bool is_small) {
  Attempt attempt{.one = one,
                  .kernel = *grading.manifest.kernel_of(one.kernel),
                  .setup = setup_of(one),
                  .useful_bytes = one.useful_bytes > 0 ? one.useful_bytes : one.array_bytes(),
                  .is_small = is_small};
  attempt.budget = budget_of(grading, attempt);
  return attempt;
}

device::Plan checked_plan(const Grading& grading, const Build& build, const Attempt& attempt,
                          std::uint64_t cost_so_far) {
  device::Plan plan = plan_of(build, attempt.setup);
  plan.seed = grading.options.seed;
  const std::uint64_t left = grading.running->test->is_graded
                                 ? attempt.budget
                                 : kChecksBudget - std::min(kChecksBudget, cost_so_far);
  plan.launches[0].check = true;
  plan.launches[0].thread_instruction_budget =
      std::max<std::uint64_t>(1, std::min(attempt.budget, left));
  return plan;
}

device::Plan graded_plan(const Grading& grading, const Build& build, const Attempt& attempt) {
  device::Plan plan = plan_of(build, attempt.setup);
  plan.seed = grading.options.seed;
  device::PlannedLaunch& launch = plan.launches[0];
  launch.want_counters = launch.want_time = launch.check_drawn_blocks = true;
  launch.thread_instruction_budget = attempt.budget;
  const auto recorded = grading.options.recorded_registers.find(grading.running->test->name);
  compile::Assembled& assembled = plan.modules[0].assembled;
  if (assembled.by.empty() && recorded != grading.options.recorded_registers.end() &&
      !recorded->second.by.empty()) {
    assembled.by = std::string(device::kRecorded) + recorded->second.by;
    assembled.kernels[launch.launch.entry] = {.registers = recorded->second.per_thread,
                                              .stack_bytes = recorded->second.stack_bytes};
  }
  return plan;
}

device::Plan gpu_plan(const Grading& grading, const std::vector<Attempt>& attempts) {
  device::Plan plan;
  plan.seed = grading.options.seed;
  const Build& build = grading.submission.gpu_build;
  const std::uint32_t module = add_build(plan, build);
  for (const Attempt& attempt : attempts)
    if (device::PlannedLaunch& launch = add_launch(plan, module, build, attempt.setup);
        grading.endless_on_gpu.contains(attempt.kernel.name))
      launch.wall_seconds = kSecondsAfterEndless;
  return plan;
}

void note_cost(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
               std::uint64_t& sum) {
  if (!outcome.simulation) return;
  double& share = grading.running->result->budget_share;
  const auto part = [](std::uint64_t cost, std::uint64_t of) {
    return static_cast<double>(cost) / static_cast<double>(of);
  };
  share = std::max(share, part(outcome.simulation->dearest_look, attempt.budget));
  if (grading.running->test->is_graded) return;
  sum += outcome.simulation->cost;
  share = std::max(share, part(sum, kChecksBudget));
}

}  // namespace labkit::grade
