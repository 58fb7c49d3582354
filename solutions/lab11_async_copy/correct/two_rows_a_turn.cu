// Two rows are a batch: both are copied while the two before are worked on.
#include <cuda_pipeline.h>

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float batch[2][2][256];
  const int x = threadIdx.x, g = gridDim.x;
  int first = blockIdx.x, which = 0;
  auto get = [&](int r, int w) {
    for (int j = 0; j < 2; ++j)
      if (r + j * g < rows)
        __pipeline_memcpy_async(&batch[w][j][x], &in[(r + j * g) * 256 + x], sizeof(float));
    __pipeline_commit();
  };
  get(first, which);
  while (first < rows) {
    get(first + 2 * g, which ^ 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < 2 && first + j * g < rows; ++j) {
      const float* const row = batch[which][j];
      int less = 0;
      for (int k = 0; k < 256; ++k) less += row[x] > row[k];
      out[(first + j * g) * 256 + x] = less;
    }
    __syncthreads();
    which ^= 1;
    first += 2 * g;
  }
}
