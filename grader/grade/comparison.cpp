#include "grade/comparison.h"

#include <fmt/format.h>

#include "base/error.h"

namespace labkit::grade {
namespace {

TimedCopy from_copy_time(const CopyTime& copy) {
  return {.timing = {.median_us = copy.time_us,
                     .low_us = copy.time_us,
                     .high_us = copy.time_us,
                     .samples = 1},
          .useful_bytes = copy.useful_bytes};
}

Interval exactly(double value) { return {value, value, value}; }

/// Puts a timed launch of a copy at the end of the plan; gives the launch's index.
std::size_t append(device::Plan& plan, const PlannedCopy& copy) {
  add_launch(plan, add_build(plan, copy.build), copy.build, copy.setup).want_time = true;
  return plan.launches.size() - 1;
}

/// The driver's copy of the same buffers as launch `like`.
std::size_t append_driver_copy(device::Plan& plan, std::size_t like) {
  device::PlannedLaunch planned{
      .kind = device::PlannedLaunch::Kind::driver_copy, .launch = {}, .want_time = true};
  planned.launch.kernel = "the driver's copy";
  planned.launch.arguments = {plan.launches[like].launch.arguments[0],
                              plan.launches[like].launch.arguments[1]};
  plan.launches.push_back(std::move(planned));
  return plan.launches.size() - 1;
}

TimedCopy timed(const device::Outcome& outcome, const PlannedCopy& copy) {
  return {.timing = summarise(outcome.times_us), .useful_bytes = copy.useful_bytes()};
}

/// Why these times decide nothing; none: they do.
words::Message doubt(const Comparison& comparison, const Subject& subject,
                     const device::Description& device) {
  if (comparison.conditions && !comparison.conditions->trouble.empty())
    return {words::Id::measured_disturbed, {{"trouble", comparison.conditions->trouble}}};
  if (!device.facts) return {};
  const double floor_us = roofline_floor_us(subject.compulsory_bytes, *device.facts);
  if (comparison.timing.median_us >= default_policy(device).roofline_part * floor_us) return {};
  return {words::Id::measured_below_roofline,
          {{"time_us", comparison.timing.median_us},
           {"megabytes", static_cast<double>(subject.compulsory_bytes) / 1e6},
           {"floor_us", floor_us}}};
}

}  // namespace

Interval paired_ratio(const std::vector<double>& kernel_us, std::uint64_t kernel_bytes,
                      const std::vector<double>& copy_us, std::uint64_t copy_bytes) {
  if (kernel_us.size() != copy_us.size())
    throw Error(fmt::format("the device gave {} times of a kernel and {} of its copy",
                            kernel_us.size(), copy_us.size()),
                "report this: it is a fault of the kit");
  summarise(kernel_us);  // throws for a time that is none
  summarise(copy_us);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < kernel_us.size(); ++i)
    ratios.push_back(static_cast<double>(kernel_bytes) / kernel_us[i] /
                     (static_cast<double>(copy_bytes) / copy_us[i]));
  return median_of(ratios);
}

Comparison compare_predicted(device::Device& device, const device::Outcome& outcome,
                             std::uint64_t useful_bytes, const Baseline& baseline,
                             const std::filesystem::path& cache_directory) {
  Comparison result;
  result.timing = summarise(outcome.times_us);
  result.predicted = outcome.time_is_predicted;
  result.bytes_per_second = static_cast<double>(useful_bytes) / result.timing.median_us * 1e6;
  if (baseline.same_shape)
    result.same_shape = from_copy_time(
        time_copy(device, *baseline.same_shape, baseline.copy_bytes, cache_directory));
  result.best = from_copy_time(
      time_copy(device, {.block = {}, .best = true}, baseline.copy_bytes, cache_directory));
  if (result.same_shape)
    result.ratio = exactly(result.bytes_per_second / result.same_shape->bytes_per_second());
  result.best_ratio = exactly(result.bytes_per_second / result.best->bytes_per_second());
  return result;
}

Measured compare_measured(device::Device& device, Subject subject, const Baseline& baseline,
                          const std::filesystem::path& cache_directory) {
  const device::Description description = device.describe();
  device::Plan& plan = subject.plan;
  plan.repetition = default_policy(description).repetition;
  plan.launches.at(0).want_time = true;

  std::optional<PlannedCopy> same;
  std::size_t same_at = 0;
  if (baseline.same_shape) {
    same = plan_copy(*baseline.same_shape, baseline.copy_bytes, description.arch, cache_directory);
    same_at = append(plan, *same);
  }
  const PlannedCopy best = plan_copy({.block = {}, .best = true}, baseline.copy_bytes,
                                     description.arch, cache_directory);
  const std::size_t best_at = append(plan, best);
  const std::size_t driver_at = append_driver_copy(plan, best_at);

  std::vector<device::Outcome> outcomes = device.run(plan);
  if (outcomes.size() != plan.launches.size())
    throw Error("the device left out launches", "report this: it is a fault of the kit");
  Measured measured;
  const bool completed = outcomes[0].completed;
  if (completed) {
    if (same) require_copied(*same, outcomes[same_at]);
    require_copied(best, outcomes[best_at]);
    require_copied(best, outcomes[driver_at]);
    Comparison result;
    const std::vector<double>& times = outcomes[0].times_us;
    result.timing = summarise(times);
    result.bytes_per_second =
        static_cast<double>(subject.useful_bytes) / result.timing.median_us * 1e6;
    const auto against = [&](std::size_t copy, std::uint64_t copy_bytes) {
      return paired_ratio(times, subject.useful_bytes, outcomes[copy].times_us, copy_bytes);
    };
    if (same) {
      result.same_shape = timed(outcomes[same_at], *same);
      result.ratio = against(same_at, same->useful_bytes());
    }
    result.best = timed(outcomes[best_at], best);
    result.driver = timed(outcomes[driver_at], best);
    const bool driver_is_best = result.driver->bytes_per_second() > result.best->bytes_per_second();
    result.best_ratio = against(driver_is_best ? driver_at : best_at, best.useful_bytes());
    if (description.facts && description.facts->peak_bytes_per_second > 0)
      result.share_of_peak = static_cast<double>(subject.compulsory_bytes) /
                             result.timing.median_us * 1e6 /
                             description.facts->peak_bytes_per_second;
    result.conditions = outcomes[0].conditions;
    result.undecided = doubt(result, subject, description);
    measured.comparison = std::move(result);
  }
  measured.outcome = std::move(outcomes[0]);
  return measured;
}

}  // namespace labkit::grade
