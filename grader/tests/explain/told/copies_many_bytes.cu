// One call copies 4, 8 or 16 bytes; asked for a whole row it stops the kernel.
// grid: 1
// block: 64
// arg: f32[64]:iota
// arg: f32[64]:zero
// finds: trap
// cause: trap
// evidence: trap_stopped
// fix: trap_fix_copy_size
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __shared__ float row[64];
  if (threadIdx.x == 0) __pipeline_memcpy_async(row, in, sizeof row);  // <--
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x];
}
