// verdict: race
// defect: race.copy_not_awaited
// The copies are in no group, so waiting for groups does not wait for them.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffers[2][kRow];
  const int i = threadIdx.x;
  const auto copy = [&](int row, int to) {
    if (row < rows)
      __pipeline_memcpy_async(&buffers[to][i], &in[row * kRow + i], sizeof(float));  // <--
  };
  int now = 0;
  copy(blockIdx.x, now);
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    copy(row + gridDim.x, 1 - now);
    __pipeline_wait_prior(1);
    __syncthreads();
    const float mine = buffers[now][i];  // <--
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += buffers[now][k] < mine;
    out[row * kRow + i] = smaller;
    __syncthreads();
    now = 1 - now;
  }
}
