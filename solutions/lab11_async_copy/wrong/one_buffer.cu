// verdict: gate overlap
// defect: gate.overlap
// One buffer: each copy is waited for at once.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[kRow];
  const int i = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    __pipeline_memcpy_async(&buffer[i], &in[row * kRow + i], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);  // <--
    __syncthreads();
    const float mine = buffer[i];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += buffer[k] < mine;
    out[row * kRow + i] = smaller;
    __syncthreads();
  }
}
