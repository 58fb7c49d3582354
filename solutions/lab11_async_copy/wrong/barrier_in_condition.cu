// verdict: race
// class: barrier in a bounds check
// defect: race.missing_barrier
// Only the threads that copy reach the barrier.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float4 buffers[2][kRow / 4];
  const int i = threadIdx.x;
  const float4* const quads = reinterpret_cast<const float4*>(in);
  int now = 0;
  if (i < kRow / 4 && blockIdx.x < rows)
    __pipeline_memcpy_async(&buffers[0][i], &quads[blockIdx.x * (kRow / 4) + i], 16);  // <--
  __pipeline_commit();
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    if (i < kRow / 4) {
      const int next = row + gridDim.x;
      if (next < rows)
        __pipeline_memcpy_async(&buffers[1 - now][i], &quads[next * (kRow / 4) + i], 16);
      __pipeline_commit();
      __pipeline_wait_prior(1);
      __syncthreads();
    }
    const float* const elements = reinterpret_cast<const float*>(buffers[now]);
    const float mine = elements[i];  // <--
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += elements[k] < mine;
    out[row * kRow + i] = smaller;
    __syncthreads();
    now = 1 - now;
  }
}
