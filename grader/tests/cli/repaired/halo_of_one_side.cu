// lab: lab10
// change: for (int y = threadIdx.y; y < kHeight + 2 * kRadius; y += kHeight) {
// Lab 10: a stencil.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
constexpr int kTileW = kWidth + 2 * kRadius;
constexpr int kTileH = kHeight + 2 * kRadius;

enum {
  kLoadSectors = 0,
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTileH][kTileW];
  __shared__ float column[kHeight][kTileW];
  int top = blockIdx.y * kHeight - kRadius;
  int left = blockIdx.x * kWidth - kRadius;

  for (int y = threadIdx.y; y < kHeight + kRadius; y += kHeight) {
    for (int x = threadIdx.x; x < kWidth + 2 * kRadius; x += kWidth) {
      int r = top + y, c = left + x;
      bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[y][x] = inside ? in[r * cols + c] : 0.0f;
    }
  }
  __syncthreads();

  // columns of 7 first
  for (int x = threadIdx.x; x < kTileW; x += kWidth) {
    float s = 0;
    for (int d = 0; d < 2 * kRadius + 1; ++d) s += tile[threadIdx.y + d][x];
    column[threadIdx.y][x] = s;
  }
  __syncthreads();

  int row = blockIdx.y * kHeight + threadIdx.y;
  int col = blockIdx.x * kWidth + threadIdx.x;
  if (row < rows && col < cols) {
    float s = 0;
    for (int d = 0; d < 2 * kRadius + 1; ++d) s += column[threadIdx.y][threadIdx.x + d];
    out[row * cols + col] = s;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
}
