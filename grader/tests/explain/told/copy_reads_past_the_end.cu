// What the toolkit's function does is done where it is called, also if that is in two lines.
// grid: 2
// block: 64
// arg: f32[100]:random
// arg: f32[128]:poison
// finds: out_of_bounds
// never: .h:
// never: a line that is not known
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (blockIdx.x == 0)
    __pipeline_memcpy_async(&s[t], &in[t], 4);
  else
    __pipeline_memcpy_async(&s[t], &in[64 + t], 4);  // <--
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}
