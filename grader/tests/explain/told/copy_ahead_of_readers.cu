// A copy of the next turn fills what slow warps still read. It has been waited for, and there is a barrier behind the wait.
// grid: 1
// block: 64
// arg: f32[192]:random
// arg: f32[64]:poison
// arg: i32:3
// finds: race
// cause: race.missing_barrier_in_loop
// evidence: race_next_iteration
// fix: race_fix_barrier_before_end
// with: end 23
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    __pipeline_memcpy_async(&s[t], &in[i * 64 + t], 4);  // <--
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[63 - t];  // <--
  }
  out[t] = sum;
}
