// verdict: race
// defect: race.copy_not_committed
// The copies are in no group, so waiting for groups does not wait for them.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffers[2][kRow];
  const int i = threadIdx.x;
  int now = 0;
  if (blockIdx.x < rows)
    __pipeline_memcpy_async(&buffers[0][i], &in[blockIdx.x * kRow + i], sizeof(float));  // <--
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const int next = row + gridDim.x;
    if (next < rows)
      __pipeline_memcpy_async(&buffers[1 - now][i], &in[next * kRow + i], sizeof(float));
    __pipeline_wait_prior(1);
    __syncthreads();
    const float mine = buffers[now][i];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += buffers[now][k] < mine;  // <--
    out[row * kRow + i] = smaller;
    __syncthreads();
    now = 1 - now;
  }
}
