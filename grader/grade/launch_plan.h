// A launch and a build of its kernel, put together into what a device runs. Labs, profiles and the copies all go this way.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"

namespace labkit::grade {

/// One build of a source: for the simulator, for a GPU, or unoptimised for the sanitizers.
struct Build {
  device::Module module;
  std::map<std::string, std::string> entries;  ///< expression -> mangled name
};

/// A launch and the buffers it is launched on, which its arguments count from 0.
struct LaunchSetup {
  launch::Launch launch;  ///< without `entry`, which each build has of its own
  std::vector<launch::Buffer> buffers;
  std::vector<std::uint64_t> row_elements = {};  ///< see device::Plan
};

/// Puts a build at the end of the plan; gives its index among the modules.
std::uint32_t add_build(device::Plan& plan, const Build& build);
/// Puts a launch of `build`, which is modules[module], at the end of the plan.
device::PlannedLaunch& add_launch(device::Plan& plan, std::uint32_t module, const Build& build,
                                  const LaunchSetup& setup);
/// That launch alone.
device::Plan plan_of(const Build& build, const LaunchSetup& setup);

}  // namespace labkit::grade
