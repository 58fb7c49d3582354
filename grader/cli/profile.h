#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/device_options.h"

namespace labkit::cli {

/// `labkit profile FILE.cu --kernel ...`
struct ProfileOptions {
  std::string file, kernel, grid, block, json, html, gpu = "h200", simd;
  DeviceChoice device;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::string> arguments;
  std::uint64_t seed = 1;
  std::uint64_t budget = 50'000'000'000;  ///< half a minute or less on two cores; 0: no limit
  unsigned threads = 0;
  std::uint32_t lanes = 0;  ///< source line to picture; 0: the worst
  double time_limit = 0;
  bool no_merge = false, no_sim = false, check = false, debugger = false;
};
int run_profile(const ProfileOptions& options);

}  // namespace labkit::cli
