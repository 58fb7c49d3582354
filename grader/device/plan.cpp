#include "device/plan.h"

#include <algorithm>

#include "base/error.h"

namespace labkit::device {

void plan_error(const launch::Launch& launch, const std::string& what) {
  throw Error("the plan for " + launch.kernel + " is wrong: " + what,
              "report this: it is a fault of the kit");
}

std::vector<std::uint32_t> buffers_of(const Plan& plan, const launch::Launch& launch) {
  std::vector<std::uint32_t> used;
  for (const launch::Argument& argument : launch.arguments)
    if (const auto* ref = std::get_if<launch::BufferRef>(&argument)) {
      if (ref->index >= plan.buffers.size())
        plan_error(launch, "there is no buffer " + std::to_string(ref->index));
      if (ref->offset_bytes > plan.buffers[ref->index].size_in_bytes())
        plan_error(launch, "an offset lies beyond buffer " + plan.buffers[ref->index].name);
      used.push_back(ref->index);
    }
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

void require_sizes(const launch::Launch& launch, const std::vector<ptx::Parameter>& parameters) {
  if (launch.arguments.size() != parameters.size())
    plan_error(launch, launch.kernel + " takes " + std::to_string(parameters.size()) +
                           " parameters, the launch gives " +
                           std::to_string(launch.arguments.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto* bytes = std::get_if<std::vector<std::byte>>(&launch.arguments[i]);
    const std::uint64_t size = bytes ? bytes->size() : sizeof(std::uint64_t);
    if (size != parameters[i].size_bytes)
      plan_error(launch, "argument " + std::to_string(i + 1) + " of " + launch.kernel + " has " +
                             std::to_string(size) + " bytes, the parameter " +
                             std::to_string(parameters[i].size_bytes));
  }
}

}  // namespace labkit::device
