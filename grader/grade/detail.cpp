// What pages and pictures show of a launch, beside its verdict: its counters, samples of its accesses, a film.
#include <algorithm>

#include "grade/steps.h"

namespace labkit::grade {
namespace {

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

}  // namespace labkit::grade
