// Groups of 16 out of cooperative groups: both builds can be checked.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[4]:poison
// finds: nothing
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out) {
  const auto group = cg::tiled_partition<16>(cg::this_thread_block());
  float v = in[threadIdx.x];
  for (int o = 8; o > 0; o /= 2) v += group.shfl_down(v, o);
  if (group.thread_rank() == 0) out[threadIdx.x / 16] = v;
}
