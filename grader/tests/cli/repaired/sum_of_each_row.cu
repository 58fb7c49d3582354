// lab: lab11
// change: for (int r = blockIdx.x; r < rows; r += gridDim.x) { smaller = 0;
// why: change_each_turn
// Lab 11
#include <cuda_pipeline.h>

constexpr int kRow = 256;

enum {
  kBarriers = 33792,
  kCopySectors = 4,
};

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[2][kRow];
  const int t = threadIdx.x;
  int which = 0;
  int smaller = 0;

  if (blockIdx.x < rows) {
    __pipeline_memcpy_async(&buffer[0][t], in + blockIdx.x * kRow + t, sizeof(float));
  }
  __pipeline_commit();

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    int next = r + gridDim.x;
    if (next < rows) {
      __pipeline_memcpy_async(&buffer[1 - which][t], in + next * kRow + t, sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();

    const float* row = buffer[which];
    float mine = row[t];
    for (int k = 0; k < kRow; ++k) {
      if (row[k] < mine) ++smaller;
    }
    out[r * kRow + t] = smaller;
    __syncthreads();
    which = 1 - which;
  }
}
