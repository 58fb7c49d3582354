// A tile of cooperative groups is no block: its lanes are meant, and the line is the kernel's in both builds.
// grid: 1
// block: 64
// arg: f32[64]:poison
// finds: barrier
// cause: barrier.mask
// fix: barrier_fix_named_lanes
// never: .h:
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float* out) {
  __shared__ float s[64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 32 < 16) tile.sync();  // <--
  out[threadIdx.x] = s[63 - threadIdx.x];
}
