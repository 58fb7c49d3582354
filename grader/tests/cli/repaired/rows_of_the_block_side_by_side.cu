// lab: lab11
// change: const int r = blockIdx.x + k * gridDim.x;
#include <cuda_pipeline.h>
constexpr int kRow = 256;
enum { kBarriers = 0, kCopySectors = 4, };
__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[2][kRow];
  const int t = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    const int r = blockIdx.x + k;
    if (r < rows) __pipeline_memcpy_async(&buffer[k][t], &in[r * kRow + t], 4);
    __pipeline_commit();
  }
  int turn = 0;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    __pipeline_wait_prior(1);
    __syncthreads();
    const float mine = buffer[turn][t];
    int rank = 0;
    for (int k = 0; k < kRow; ++k) rank += buffer[turn][k] < mine;
    out[r * kRow + t] = rank;
    __syncthreads();
    const int next = r + 2 * gridDim.x;
    if (next < rows) __pipeline_memcpy_async(&buffer[turn][t], &in[next * kRow + t], 4);
    __pipeline_commit();
    turn = 1 - turn;
  }
}
