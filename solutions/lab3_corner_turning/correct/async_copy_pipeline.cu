// Style: someone who read about asynchronous copies: __pipeline_memcpy_async into the tile, wait, barrier.
// Right: each thread waits for its own copy, then the block waits for all; 4 and 8 bytes are allowed sizes.
#include <cuda_pipeline.h>
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int c = blockIdx.x * kTile + threadIdx.x, r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < cols)
    __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &in[r * cols + c], sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int oc = blockIdx.y * kTile + threadIdx.x, orow = blockIdx.x * kTile + threadIdx.y;
  if (orow < cols && oc < rows) out[orow * rows + oc] = tile[threadIdx.x][threadIdx.y];
}
