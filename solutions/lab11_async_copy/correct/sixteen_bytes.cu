// 64 threads copy 16 bytes each; the others have empty groups. The row is read four elements at a time.
#include <cuda_pipeline.h>

struct Row {
  float4 quads[64];
};

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ Row even, odd;
  const unsigned t = threadIdx.x;
  auto fetch = [&](Row& to, int row) {
    if (t < 64 && row < rows)
      __pipeline_memcpy_async(&to.quads[t], reinterpret_cast<const float4*>(in) + row * 64 + t, 16);
    __pipeline_commit();
  };
  auto work = [&](const Row& from, int row) {
    __pipeline_wait_prior(1);
    __syncthreads();
    const float mine = reinterpret_cast<const float*>(from.quads)[t];
    int rank = 0;
    for (int q = 0; q < 64; ++q) {
      const float4 four = from.quads[q];
      rank += (four.x < mine) + (four.y < mine) + (four.z < mine) + (four.w < mine);
    }
    out[row * 256 + t] = rank;
    __syncthreads();
  };
  const int step = gridDim.x;
  int row = blockIdx.x;
  fetch(even, row);
  for (; row < rows; row += 2 * step) {
    fetch(odd, row + step);
    work(even, row);
    if (row + step >= rows) break;
    fetch(even, row + 2 * step);
    work(odd, row + step);
  }
}
