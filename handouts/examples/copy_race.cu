// Each block reverses its 64 elements, which are copied to shared memory asynchronously. Something is missing.
#include <cuda_pipeline.h>

__global__ void reverse(const float* in, float* out) {
  __shared__ float kept[64];
  const int first = blockIdx.x * 64;
  __pipeline_memcpy_async(&kept[threadIdx.x], &in[first + threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[first + threadIdx.x] = kept[63 - threadIdx.x];
}
