// lab: lab10
// change: if (r < 0 || r >= rows || c < 0 || c >= cols) return 0.0f;
// why: change_next_row
// Lab 10: stencil
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 396492,  // 98 a block (14 rows of 5 + 2), less at the edges
  kLoadWavefronts = 1,
};

constexpr int kTileWidth = kWidth + 2 * kRadius;    // 38
constexpr int kTileHeight = kHeight + 2 * kRadius;  // 14

// The element of `in` at row r and column c, or 0 if that is not in the array.
__device__ float at(const float* in, int rows, int cols, int r, int c) {
  const int index = r * cols + c;
  if (index < 0 || index >= rows * cols) return 0.0f;
  return in[index];
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTileHeight][kTileWidth];

  const int top = (int)blockIdx.y * kHeight - kRadius;
  const int left = (int)blockIdx.x * kWidth - kRadius;
  for (int y = threadIdx.y; y < kTileHeight; y += kHeight) {
    for (int x = threadIdx.x; x < kTileWidth; x += kWidth) {
      tile[y][x] = at(in, rows, cols, top + y, left + x);
    }
  }
  __syncthreads();

  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  if (row >= rows || col >= cols) return;

  float sum = 0.0f;
  for (int dy = 0; dy <= 2 * kRadius; ++dy) {
    for (int dx = 0; dx <= 2 * kRadius; ++dx) {
      sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    }
  }
  out[row * cols + col] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional)
}
