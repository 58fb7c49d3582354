// lab: lab10
// change: for (int e = id; e < kTileH * kTileW; e += blockDim.x * blockDim.y) {
// Lab 10
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
constexpr int kTileW = kWidth + 2 * kRadius;
constexpr int kTileH = kHeight + 2 * kRadius;

enum {
  kLoadSectors = 0,
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTileH * kTileW];
  const int top = blockIdx.y * kHeight - kRadius;
  const int left = blockIdx.x * kWidth - kRadius;
  const int id = threadIdx.y * blockDim.x + threadIdx.x;
  const int threads = blockDim.x;
  for (int e = id; e < kTileH * kTileW; e += threads) {
    const int r = top + e / kTileW, c = left + e % kTileW;
    const bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
    tile[e] = inside ? in[r * cols + c] : 0.0f;
  }
  __syncthreads();
  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  if (row >= rows || col >= cols) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * kRadius; ++dy)
    for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[(threadIdx.y + dy) * kTileW + threadIdx.x + dx];
  out[row * cols + col] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional)
}
