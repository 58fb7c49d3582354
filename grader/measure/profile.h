// One launch of any kernel, observed: what `labkit profile` does.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "device/device.h"
#include "launch/launch.h"

namespace labkit::measure {

struct ProfileRequest {
  std::filesystem::path file;
  std::string kernel;  ///< name expression
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<launch::ParsedArgument> arguments;  ///< in the order of the parameters
  std::uint64_t seed = 1;                         ///< of random buffers
  std::uint64_t thread_instruction_budget = 0;    ///< 0: no limit
  std::filesystem::path cache_directory;          ///< of compiled kernels; empty: none
};

struct Profile {
  std::string file, kernel, compiler;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  device::Description device;
  /// Empty, or why nothing was launched: "compile_error", "compile_limit", "missing_kernel",
  /// "unsupported".
  std::string refusal;
  std::string message;  ///< for a refusal
  std::string compile_log;
  std::vector<std::string> notes;
  device::Outcome outcome;  ///< meaningful without a refusal
  bool failed() const;      ///< a refusal, or a finding of severity error
};

/// Throws std::invalid_argument if the arguments do not fit the kernel's parameters, naming the
/// first that does not, and labkit::Error for what is ours.
Profile profile(device::Device& device, const ProfileRequest& request);

}  // namespace labkit::measure
