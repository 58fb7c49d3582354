// lab: lab11
// change: if (next < rows) beginCopy(buffer[current ^ 1], in, next); else __pipeline_commit();
// why: change_commit
#include <cuda_pipeline.h>

constexpr int kRow = 256;

enum {
  kBarriers = 33792,
  kCopySectors = 4,
};

// begin to copy one row; every thread copies its own float
__device__ void beginCopy(float* to, const float* in, int row) {
  __pipeline_memcpy_async(to + threadIdx.x, in + row * kRow + threadIdx.x, sizeof(float));
  __pipeline_commit();
}

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[2][kRow];
  const int t = threadIdx.x;

  int current = 0;
  if (blockIdx.x < rows) beginCopy(buffer[current], in, blockIdx.x);

  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const int next = row + gridDim.x;
    if (next < rows) beginCopy(buffer[current ^ 1], in, next);

    __pipeline_wait_prior(1);  // all but the newest one, that's the next row
    __syncthreads();

    const float mine = buffer[current][t];
    int rank = 0;
    for (int k = 0; k < kRow; ++k)
      if (buffer[current][k] < mine) ++rank;
    out[row * kRow + t] = rank;

    __syncthreads();  // nobody reads this row any more
    current ^= 1;
  }
}
