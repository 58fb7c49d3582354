// verdict: out_of_bounds
// class: off-by-one tail
// defect: out_of_bounds.tail
// The next row is copied whether there is one or not.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffers[2][kRow];
  const int i = threadIdx.x;
  int now = 0;
  if (blockIdx.x < rows)
    __pipeline_memcpy_async(&buffers[0][i], &in[blockIdx.x * kRow + i], sizeof(float));
  __pipeline_commit();
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const int next = row + gridDim.x;
    __pipeline_memcpy_async(&buffers[1 - now][i], &in[next * kRow + i], sizeof(float));  // <--
    __pipeline_commit();
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
