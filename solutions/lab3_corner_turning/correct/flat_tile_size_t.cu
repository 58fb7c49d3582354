// Style: a one-dimensional tile with manual indexing; size_t for all that is global.
// Right: rows of the tile are filled by warps, its columns are written as rows; with different bounds for the store.
#include <cstddef>
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile * kTile];
  const size_t c = size_t(kTile) * blockIdx.x + threadIdx.x;
  const size_t r = size_t(kTile) * blockIdx.y + threadIdx.y;
  if (r < size_t(rows) && c < size_t(cols))
    tile[threadIdx.y * kTile + threadIdx.x] = in[r * size_t(cols) + c];
  __syncthreads();
  const size_t outCol = size_t(kTile) * blockIdx.y + threadIdx.x;
  const size_t outRow = size_t(kTile) * blockIdx.x + threadIdx.y;
  if (outRow < size_t(cols) && outCol < size_t(rows))
    out[outRow * size_t(rows) + outCol] = tile[threadIdx.x * kTile + threadIdx.y];
}
