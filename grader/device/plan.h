// What both devices ask of a plan before they run it. Each throws labkit::Error: a wrong plan is a fault of the kit.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.h"
#include "ptx/module.h"

namespace labkit::device {

[[noreturn]] void plan_error(const launch::Launch& launch, const std::string& what);

/// Buffers that a launch names, as indices into plan.buffers: rising, each once.
std::vector<std::uint32_t> buffers_of(const Plan& plan, const launch::Launch& launch);

/// As many arguments as the kernel has parameters, each of its parameter's size.
void require_sizes(const launch::Launch& launch, const std::vector<ptx::Parameter>& parameters);

}  // namespace labkit::device
