// lab: lab10
// change: const int me = threadIdx.y * kWidth + threadIdx.x;
// Lab 10: a stencil.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
constexpr int kTileWidth = kWidth + 2 * kRadius;    // 38
constexpr int kTileHeight = kHeight + 2 * kRadius;  // 14

enum {
  kLoadSectors = 401408,
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTileHeight * kTileWidth];
  const int top = blockIdx.y * kHeight - kRadius;
  const int left = blockIdx.x * kWidth - kRadius;

  // 532 elements, 256 threads: number the threads of the block, and let each take every 256th.
  const int me = threadIdx.y * kHeight + threadIdx.x;
  for (int e = me; e < kTileHeight * kTileWidth; e += kWidth * kHeight) {
    const int r = top + e / kTileWidth;
    const int c = left + e % kTileWidth;
    const bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
    tile[e] = inside ? in[r * cols + c] : 0.0f;
  }
  __syncthreads();

  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  if (row >= rows || col >= cols) return;

  float sum = 0.0f;
  for (int dy = 0; dy <= 2 * kRadius; ++dy) {
    const float* line = tile + (threadIdx.y + dy) * kTileWidth + threadIdx.x;
    for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += line[dx];
  }
  out[row * cols + col] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional): loop over z. What a thread needs from the layers before and after is in its own
  // column: keep it in variables. Only the layer in between needs a tile.
}
