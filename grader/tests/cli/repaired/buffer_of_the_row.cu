// lab: lab11
// change: __pipeline_memcpy_async(&even_odd[row / gridDim.x % 2][i], &in[row * kRow + i], 4);
// change: const int mine = row / gridDim.x % 2;
// why: change_alternates
// Lab 11: even rows go to buffer 0, odd rows to buffer 1.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

enum {
  kBarriers = 33792,  // 2 barriers x 16 rows x 132 blocks x 8 warps
  kCopySectors = 4,
};

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float even_odd[2][kRow];
  const int i = threadIdx.x;

  int row = blockIdx.x;
  if (row < rows) {
    __pipeline_memcpy_async(&even_odd[row % 2][i], &in[row * kRow + i], 4);
  }
  __pipeline_commit();

  while (row < rows) {
    const int mine = row % 2;
    const int next = row + gridDim.x;
    if (next < rows) {
      // the buffer that this row does not need
      __pipeline_memcpy_async(&even_odd[1 - mine][i], &in[next * kRow + i], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();

    const float v = even_odd[mine][i];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) {
      smaller += even_odd[mine][k] < v ? 1 : 0;
    }
    out[row * kRow + i] = smaller;
    __syncthreads();  // everybody has read

    row = next;
  }
}
