#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace labkit::cli {

/// `labkit profile FILE.cu --kernel ...`
struct ProfileOptions {
  std::string file, kernel, grid, block, json, device = "auto", gpu = "h200", simd;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::string> arguments;
  std::uint64_t seed = 1, budget = 0;
  unsigned threads = 0;
  bool no_merge = false;
};
int run_profile(const ProfileOptions& options);

}  // namespace labkit::cli
