// lab: lab10
// change: tile[y + threadIdx.y][x + threadIdx.x] = c >= 0 && c < cols ? read_or_zero(in, r * cols + c, rows * cols) : 0;
// why: change_next_row
// Lab 10: a stencil.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 401408,
  kLoadWavefronts = 1,
};

// in[at], and 0 for what lies outside of the matrix
__device__ float read_or_zero(const float* in, int at, int size) {
  return (at >= 0 && at < size) ? in[at] : 0.0f;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  constexpr int H = kHeight + 2 * kRadius;
  constexpr int W = kWidth + 2 * kRadius;
  __shared__ float tile[H][W];

  const int row = kHeight * blockIdx.y + threadIdx.y;
  const int col = kWidth * blockIdx.x + threadIdx.x;

  // The block steps over the tile, first down, then to the right. Tile (0, 0) is 3 up and 3 left of
  // the block's first element.
  for (int y = 0; y + threadIdx.y < H; y += kHeight) {
    for (int x = 0; x + threadIdx.x < W; x += kWidth) {
      const int r = row + y - kRadius;
      const int c = col + x - kRadius;
      tile[y + threadIdx.y][x + threadIdx.x] = read_or_zero(in, r * cols + c, rows * cols);
    }
  }
  __syncthreads();

  if (row < rows && col < cols) {
    float sum = 0;
    for (int dy = -kRadius; dy <= kRadius; ++dy)
      for (int dx = -kRadius; dx <= kRadius; ++dx)
        sum += tile[threadIdx.y + kRadius + dy][threadIdx.x + kRadius + dx];
    out[row * cols + col] = sum;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional): loop over z. What a thread needs from the layers before and after is in its own
  // column: keep it in variables. Only the layer in between needs a tile.
}
