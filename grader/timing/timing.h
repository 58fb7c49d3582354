// Counters and a GPU profile in, time out. First model: simple, documented in model.cpp, a mechanism rather than a fit.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "observe/counters.h"

namespace labkit::timing {

/// One number of a GPU with its unit in the name and where it is from.
struct GpuProfile {
  std::string name;            ///< "h200"
  std::string title;           ///< "NVIDIA H200 (132 SMs, ...)"
  bool measured = false;       ///< false: from datasheets only
  // Filled from grader/timing/profiles/<name>.toml; every entry there carries a unit and a source. Further numbers that
  // the model needs are added by the model's author.
  std::uint32_t sm_count = 0;
  double sm_clock_hz = 0;
  double dram_bytes_per_second = 0;      ///< peak, datasheet
  std::uint64_t l2_bytes = 0;
  std::uint32_t max_threads_per_sm = 0, max_blocks_per_sm = 0, max_warps_per_sm = 0;
  std::uint32_t registers_per_sm = 0, shared_bytes_per_sm = 0, shared_bytes_per_block_max = 0;
  std::vector<std::pair<std::string, double>> parameters;  ///< the model's own, by name
};
/// Throws labkit::Error naming the known profiles.
const GpuProfile& find_profile(const std::string& name);
std::vector<std::string> profile_names();

/// What one launch did.
struct Activity {
  const observe::LaunchCounters* counters = nullptr;   ///< of the blocks simulated
  double scale = 1;                      ///< blocks launched / blocks simulated
  launch::Dim3 grid, block;
  std::uint32_t registers_per_thread = 0;///< estimate unless said otherwise
  bool registers_estimated = true;
  std::uint64_t shared_bytes_per_block = 0;  ///< static + dynamic
  std::uint64_t footprint_bytes = 0;     ///< bytes of all buffers of the launch
};

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t warps_per_sm = 0;
  std::string limiter;                   ///< "registers", "shared memory", "block size", "grid"
};
Occupancy occupancy(const Activity& activity, const GpuProfile& gpu);

struct Bound { std::string name; double time_us = 0; };  ///< "DRAM", "L2", "L1/LSU", "shared memory", "issue", "latency", "launch"
struct Prediction {
  double time_us = 0;                    ///< predicted, always
  std::string bound;                     ///< the one that sets it
  std::vector<Bound> bounds;             ///< all, largest first
  Occupancy occupancy;
};
Prediction predict(const Activity& activity, const GpuProfile& gpu);

}  // namespace labkit::timing
