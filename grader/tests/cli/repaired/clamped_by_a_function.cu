// lab: lab10
// change: const int r = firstRow + y - kRadius;
// change: const int c = firstCol + x - kRadius;
// change: tile[y][x] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
// Lab 10: a stencil.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
constexpr int kTileWidth = kWidth + 2 * kRadius;
constexpr int kTileHeight = kHeight + 2 * kRadius;

enum {
  kLoadSectors = 397824,
  kLoadWavefronts = 1,
};

__device__ inline int clampTo(int value, int size) { return max(0, min(value, size - 1)); }

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTileHeight][kTileWidth];

  const int firstRow = blockIdx.y * kHeight;
  const int firstCol = blockIdx.x * kWidth;

  // Never read outside of the picture: clamp the coordinates, as in every image filter. This has no
  // branches either.
  for (int y = threadIdx.y; y < kTileHeight; y += kHeight) {
    for (int x = threadIdx.x; x < kTileWidth; x += kWidth) {
      const int r = clampTo(firstRow + y - kRadius, rows);
      const int c = clampTo(firstCol + x - kRadius, cols);
      tile[y][x] = in[r * cols + c];
    }
  }
  __syncthreads();

  const int row = firstRow + threadIdx.y;
  const int col = firstCol + threadIdx.x;
  if (row >= rows || col >= cols) return;

  float sum = 0.0f;
  for (int dy = 0; dy <= 2 * kRadius; ++dy) {
    for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  out[row * cols + col] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float layer[kHeight + 2][kWidth + 2];

  const int x = blockIdx.x * kWidth + threadIdx.x;
  const int y = blockIdx.y * kHeight + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;

  const auto value = [=](int zz, int yy, int xx) {
    const bool inside = zz < nz && yy >= 0 && yy < ny && xx >= 0 && xx < nx;
    return inside ? in[(zz * ny + yy) * nx + xx] : 0.0f;
  };

  float before = 0.0f;
  float current = value(0, y, x);
  for (int z = 0; z < nz; ++z) {
    const float after = value(z + 1, y, x);

    layer[ly][lx] = current;
    if (ly == 1) layer[0][lx] = value(z, y - 1, x);
    if (ly == kHeight) layer[kHeight + 1][lx] = value(z, y + 1, x);
    if (lx == 1) layer[ly][0] = value(z, y, x - 1);
    if (lx == kWidth) layer[ly][kWidth + 1] = value(z, y, x + 1);
    __syncthreads();

    if (y < ny && x < nx) {
      out[(z * ny + y) * nx + x] = layer[ly][lx - 1] + layer[ly][lx + 1] + layer[ly - 1][lx] +
                                   layer[ly + 1][lx] + before + after - 6.0f * current;
    }
    __syncthreads();

    before = current;
    current = after;
  }
}
