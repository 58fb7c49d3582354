// What went wrong on a GPU, told apart: a launch's own fault becomes a finding, the machine's a
// labkit::Error.
#pragma once
#include <optional>
#include <string>

#include "device/cuda_protocol.h"

namespace labkit::device::cuda {

/// A reply of kind failed or endless. nullopt: it is not the launch's fault. `ptx` is the launch's
/// module; `gpu` its name ("NVIDIA H200").
std::optional<launch::Finding> finding_of(const Reply& reply, const launch::Launch& launch,
                                          const std::string& ptx, const std::string& gpu);

/// The worker died of `how` ("killed by signal 11 ...") while this launch ran, twice.
launch::Finding crash_finding(const std::string& how, const launch::Launch& launch,
                              const std::string& gpu);

/// Of a launch that was left out, since another of the same kernel in the plan did not end.
launch::Finding spared_finding(const launch::Launch& launch, const std::string& gpu);

/// What to do about a driver's error that is ours.
std::string remedy_of_code(int code);

}  // namespace labkit::device::cuda
