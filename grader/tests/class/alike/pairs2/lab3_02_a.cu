constexpr int kTile = 32;

// row-major position
__device__ size_t pos(int row, int col, int width) {
  return (size_t)row * width + col;
}

template <typename T>
__global__ void corner_turn(const T *in, T *out, int rows, int cols)
{
  __shared__ T tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top  = kTile * blockIdx.y;   // corner of my tile in `in`
  const int left = kTile * blockIdx.x;

  // how much of the tile is really inside the matrix
  const int h = rows - top  < kTile ? rows - top  : kTile;
  const int w = cols - left < kTile ? cols - left : kTile;

  // I store the tile already transposed, so tile[column][row]
  if (ty < h && tx < w)
    tile[tx][ty] = in[pos(top + ty, left + tx, cols)];
  __syncthreads();
  if (ty < w && tx < h)
    out[pos(left + ty, top + tx, rows)] = tile[ty][tx];
}
