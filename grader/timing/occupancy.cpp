// How many blocks an SM holds at a time: the tightest of its limits.
#include <algorithm>

#include "timing/timing.h"

namespace labkit::timing {
namespace {

// Technical specifications per compute capability, CUDA C++ programming guide.
constexpr std::uint64_t kMostRegistersPerThread = 255;

std::uint64_t warps_of(const launch::Dim3& block) {
  return std::max<std::uint64_t>(1, (block.count() + 31) / 32);
}

}  // namespace

std::uint32_t most_registers(const launch::Dim3& block, const GpuProfile& gpu) {
  const std::uint64_t unit = gpu.register_allocation_unit;
  const std::uint64_t of_a_warp = gpu.registers_per_sm / warps_of(block) / unit * unit;
  return static_cast<std::uint32_t>(std::min(of_a_warp / 32, kMostRegistersPerThread));
}

Activity with_registers_that_fit(Activity activity, const GpuProfile& gpu) {
  if (activity.registers_estimated)
    activity.registers_per_thread =
        std::min(activity.registers_per_thread, most_registers(activity.block, gpu));
  return activity;
}

bool fits(const Activity& activity, const GpuProfile& gpu) {
  return occupancy(with_registers_that_fit(activity, gpu), gpu).blocks_per_sm > 0;
}

Occupancy occupancy(const Activity& activity, const GpuProfile& gpu) {
  const std::uint64_t warps = warps_of(activity.block);
  Occupancy result;
  std::uint64_t best = gpu.max_blocks_per_sm;
  result.limiter = "blocks";
  const auto limit = [&](std::uint64_t blocks, const char* name) {
    if (blocks < best) {
      best = blocks;
      result.limiter = name;
    }
  };
  limit(
      std::min<std::uint64_t>(gpu.max_warps_per_sm / warps, gpu.max_threads_per_sm / (warps * 32)),
      "block size");
  // Registers come a warp at a time, in multiples of the allocation unit.
  const std::uint64_t unit = gpu.register_allocation_unit;
  const std::uint64_t registers =
      (std::uint64_t{activity.registers_per_thread} * 32 + unit - 1) / unit * unit;
  if (registers) limit(gpu.registers_per_sm / registers / warps, "registers");
  if (activity.shared_bytes_per_block > gpu.shared_bytes_per_block_max)
    limit(0, "shared memory");
  else if (const std::uint64_t shared = activity.shared_bytes_per_block + gpu.shared_bytes_reserved)
    limit(gpu.shared_bytes_per_sm / shared, "shared memory");
  const std::uint64_t available = (activity.grid.count() + gpu.sm_count - 1) / gpu.sm_count;
  limit(available, "grid");
  result.blocks_per_sm = static_cast<std::uint32_t>(best);
  result.warps_per_sm = static_cast<std::uint32_t>(best * warps);
  return result;
}

}  // namespace labkit::timing
