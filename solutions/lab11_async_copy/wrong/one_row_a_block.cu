// verdict: wrong_result
// defect: wrong_result.last_rows
// Each block takes one row only.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[kRow];
  const int i = threadIdx.x, row = blockIdx.x;
  if (row >= rows) return;
  __pipeline_memcpy_async(&buffer[i], &in[row * kRow + i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float mine = buffer[i];
  int smaller = 0;
  for (int k = 0; k < kRow; ++k) smaller += buffer[k] < mine;
  out[row * kRow + i] = smaller;
}
