// lab: lab3
// change: if (ty < wide && tx < high) out[(left + ty) * rows + top + tx] = tile[tx][ty];
constexpr int kTile = 32;

enum {
  kLoadSectors = 4,   // with its load from `in`
  kStoreSectors = 4,  // with its store to `out`
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int high = rows - top < kTile ? rows - top : kTile;
  const int wide = cols - left < kTile ? cols - left : kTile;
  const bool exists = ty < high && tx < wide;
  if (exists) tile[ty][tx] = in[(top + ty) * cols + left + tx];
  __syncthreads();
  if (exists) out[(left + ty) * rows + top + tx] = tile[tx][ty];
}
