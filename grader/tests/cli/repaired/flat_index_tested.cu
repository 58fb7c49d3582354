// lab: lab10
// change: tile[y][x] = (top + y >= 0 && top + y < rows && left + x >= 0 && left + x < cols) ? in[at] : 0.0f;
// why: change_next_row
// Lab 10: a stencil. Each element of `out` is the sum of the 7 x 7 elements of `in` around the same
// place. What lies outside of the matrix counts as 0.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
constexpr int kTileW = kWidth + 2 * kRadius;   // 38
constexpr int kTileH = kHeight + 2 * kRadius;  // 14

// For rows = cols = 1024 (4096 blocks):
enum {
  kLoadSectors = 396492,  // 14 rows, 5 + 2 sectors each, less at the edges
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTileH][kTileW];

  // upper left corner of the tile with its halo
  const int top = blockIdx.y * kHeight - kRadius;
  const int left = blockIdx.x * kWidth - kRadius;
  const int size = rows * cols;

  for (int y = threadIdx.y; y < kTileH; y += kHeight) {
    for (int x = threadIdx.x; x < kTileW; x += kWidth) {
      const int at = (top + y) * cols + (left + x);
      // 0 if it is before the first element of the matrix or behind the last one
      tile[y][x] = (at >= 0 && at < size) ? in[at] : 0.0f;
    }
  }
  __syncthreads();

  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  if (row < rows && col < cols) {
    float sum = 0.0f;
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
      for (int dx = -kRadius; dx <= kRadius; ++dx) {
        sum += tile[threadIdx.y + kRadius + dy][threadIdx.x + kRadius + dx];
      }
    }
    out[row * cols + col] = sum;
  }
}

// Optional, for bonus points: a stencil in three dimensions. Perhaps tomorrow.
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional): loop over z. What a thread needs from the layers before and after is in its own
  // column: keep it in variables. Only the layer in between needs a tile.
}
