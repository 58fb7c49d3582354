// lab: lab11
// change: if (blockIdx.x < rows) __pipeline_memcpy_async(&buffer[0][t], &in[blockIdx.x * kRow + t], 4);
// change: if (next < rows) __pipeline_memcpy_async(&buffer[1 - turn][t], &in[next * kRow + t], 4);
// change: out[r * kRow + t] = rank;
#include <cuda_pipeline.h>
constexpr int kRow = 256;
enum { kBarriers = 0, kCopySectors = 4, };
__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[2][kRow];
  const int t = threadIdx.x;
  if (blockIdx.x < rows) __pipeline_memcpy_async(&buffer[0][t], &in[blockIdx.x + t * rows], 4);
  __pipeline_commit();
  int turn = 0;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int next = r + gridDim.x;
    if (next < rows) __pipeline_memcpy_async(&buffer[1 - turn][t], &in[next + t * rows], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float mine = buffer[turn][t];
    int rank = 0;
    for (int k = 0; k < kRow; ++k) rank += buffer[turn][k] < mine;
    out[r + t * rows] = rank;
    __syncthreads();
    turn = 1 - turn;
  }
}
