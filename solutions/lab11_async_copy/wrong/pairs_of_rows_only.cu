// verdict: wrong_result
// class: only multiples of 32
// defect: wrong_result.never_written
// Two rows at a time: the last one of an odd number is left out.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffers[2][kRow];
  const int i = threadIdx.x;
  const auto copy = [&](int row, int to) {
    if (row < rows) __pipeline_memcpy_async(&buffers[to][i], &in[row * kRow + i], sizeof(float));
    __pipeline_commit();
  };
  int now = 0;
  copy(blockIdx.x, now);
  for (int row = blockIdx.x; row < rows / 2 * 2; row += gridDim.x) {
    copy(row + gridDim.x, 1 - now);
    __pipeline_wait_prior(1);
    __syncthreads();
    const float mine = buffers[now][i];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += buffers[now][k] < mine;
    out[row * kRow + i] = smaller;
    __syncthreads();
    now = 1 - now;
  }
}
