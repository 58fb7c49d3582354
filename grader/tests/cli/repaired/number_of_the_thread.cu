// lab: lab3
// change: int t = threadIdx.y * blockDim.x + threadIdx.x;
// why: change_number_in_block
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,
  kColumnWavefronts = 32,
};

struct Thread {
  int warp;
  int lane;
};

__device__ Thread whoAmI() {
  int t = threadIdx.x;
  return {t / 32, t % 32};
}

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  Thread me = whoAmI();
  int top = blockIdx.y * kTile;
  int left = blockIdx.x * kTile;

  // warp w loads row w of the tile
  if (top + me.warp < rows && left + me.lane < cols)
    tile[me.warp][me.lane] = in[(top + me.warp) * cols + left + me.lane];

  __syncthreads();

  // warp w stores column w of the tile
  if (left + me.warp < cols && top + me.lane < rows)
    out[(left + me.warp) * rows + top + me.lane] = tile[me.lane][me.warp];
}
