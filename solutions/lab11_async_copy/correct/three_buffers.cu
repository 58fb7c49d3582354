// Three buffers, so that one barrier a row is enough: a warp that is ahead copies to a place that nobody reads any more.
#include <cuda_pipeline.h>
constexpr int kRow = 256, kBuffers = 3;

__device__ void begin(float* to, const float* in, int row, int rows) {
  if (row < rows)
    __pipeline_memcpy_async(to + threadIdx.x, in + row * kRow + threadIdx.x, sizeof(float));
  __pipeline_commit();
}

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[kBuffers * kRow];
  begin(buffer, in, blockIdx.x, rows);
  int turn = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, ++turn) {
    begin(buffer + (turn + 1) % kBuffers * kRow, in, row + gridDim.x, rows);
    __pipeline_wait_prior(1);
    __syncthreads();
    const float* const own = buffer + turn % kBuffers * kRow;
    const float mine = own[threadIdx.x];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += own[k] < mine ? 1 : 0;
    out[row * kRow + threadIdx.x] = smaller;
  }
}
