// lab: lab11
// change: } __pipeline_commit();
// change: } __pipeline_commit();
// why: change_in_no_group
#include <cuda_pipeline.h>
constexpr int kRow = 256;
__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[2][kRow];
  int i = threadIdx.x;
  int now = 0;
  if (blockIdx.x < rows) {
    __pipeline_memcpy_async(&buffer[0][i], &in[blockIdx.x * kRow + i], 4);
  }
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    int next = r + gridDim.x;
    if (next < rows) {
      __pipeline_memcpy_async(&buffer[1 - now][i], &in[next * kRow + i], 4);
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    int rank = 0;
    for (int k = 0; k < kRow; k++) {
      if (buffer[now][k] < buffer[now][i]) rank++;
    }
    out[r * kRow + i] = rank;
    __syncthreads();
    now = 1 - now;
  }
}
