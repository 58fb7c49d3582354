// lab: lab11
// change: } __pipeline_commit();
// change:
// why: change_commit
// Lab 11: ranks, with the next row on its way.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

enum {
  kBarriers = 33792,
  kCopySectors = 4,
};

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float even[kRow], odd[kRow];
  float* current = even;
  float* coming = odd;
  const int t = threadIdx.x;

  int row = blockIdx.x;
  if (row >= rows) return;  // the whole block goes, that's allowed

  __pipeline_memcpy_async(current + t, in + row * kRow + t, sizeof(float));
  __pipeline_commit();

  while (row < rows) {
    const int next = row + gridDim.x;
    if (next < rows) {
      __pipeline_memcpy_async(coming + t, in + next * kRow + t, sizeof(float));
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);  // this row, not the next one
    __syncthreads();

    const float mine = current[t];
    int rank = 0;
    for (int k = 0; k < kRow; ++k)
      if (current[k] < mine) ++rank;
    out[row * kRow + t] = rank;
    __syncthreads();

    float* swap = current;
    current = coming;
    coming = swap;
    row = next;
  }
}
