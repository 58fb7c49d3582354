// Only a cooperative launch lets blocks wait for one another; on a GPU, too, the kernel stops itself here.
// grid: 2
// block: 64
// arg: f32[128]:zero
// finds: trap
// cause: trap
// evidence: trap_stopped
// fix: trap_fix_grid_sync
#include <cooperative_groups.h>
__global__ void k(float* out) {
  out[blockIdx.x * 64 + threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();  // <--
  out[blockIdx.x * 64 + threadIdx.x] += out[(1 - blockIdx.x) * 64 + threadIdx.x];
}
