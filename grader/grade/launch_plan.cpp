#include "grade/launch_plan.h"

namespace labkit::grade {

std::uint32_t add_build(device::Plan& plan, const Build& build) {
  plan.modules.push_back(build.module);
  return static_cast<std::uint32_t>(plan.modules.size() - 1);
}

device::PlannedLaunch& add_launch(device::Plan& plan, std::uint32_t module, const Build& build,
                                  const LaunchSetup& setup) {
  const auto first = static_cast<std::uint32_t>(plan.buffers.size());
  device::PlannedLaunch planned{.module = module, .launch = setup.launch};
  planned.launch.entry = build.entries.at(setup.launch.kernel);
  for (launch::Argument& argument : planned.launch.arguments)
    if (auto* buffer = std::get_if<launch::BufferRef>(&argument)) buffer->index += first;
  plan.buffers.insert(plan.buffers.end(), setup.buffers.begin(), setup.buffers.end());
  plan.row_elements.insert(plan.row_elements.end(), setup.row_elements.begin(),
                           setup.row_elements.end());
  plan.row_elements.resize(plan.buffers.size());
  plan.launches.push_back(std::move(planned));
  return plan.launches.back();
}

device::Plan plan_of(const Build& build, const LaunchSetup& setup) {
  device::Plan plan;
  add_launch(plan, add_build(plan, build), build, setup);
  return plan;
}

}  // namespace labkit::grade
