// lab: lab10
// change: if (ty >= kHeight - kRadius) tile[y + kRadius][x] = at(in, r + kRadius, c, rows, cols); if (ty < kRadius && tx < kRadius) tile[y - kRadius][x - kRadius] = at(in, r - kRadius, c - kRadius, rows, cols); if (ty < kRadius && tx >= kWidth - kRadius) tile[y - kRadius][x + kRadius] = at(in, r - kRadius, c + kRadius, rows, cols); if (ty >= kHeight - kRadius && tx < kRadius) tile[y + kRadius][x - kRadius] = at(in, r + kRadius, c - kRadius, rows, cols); if (ty >= kHeight - kRadius && tx >= kWidth - kRadius) tile[y + kRadius][x + kRadius] = at(in, r + kRadius, c + kRadius, rows, cols);
// why: change_corners
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 344064,
  kLoadWavefronts = 1,
};

__device__ float at(const float* in, int r, int c, int rows, int cols) {
  return (r >= 0 && r < rows && c >= 0 && c < cols) ? in[r * cols + c] : 0.0f;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * kHeight + ty;
  const int c = blockIdx.x * kWidth + tx;
  const int y = ty + kRadius, x = tx + kRadius;  // my place in the tile

  // my own element
  tile[y][x] = at(in, r, c, rows, cols);

  // the halo: threads near a side also load what lies over that side
  if (tx < kRadius) tile[y][x - kRadius] = at(in, r, c - kRadius, rows, cols);
  if (tx >= kWidth - kRadius) tile[y][x + kRadius] = at(in, r, c + kRadius, rows, cols);
  if (ty < kRadius) tile[y - kRadius][x] = at(in, r - kRadius, c, rows, cols);
  if (ty >= kHeight - kRadius) tile[y + kRadius][x] = at(in, r + kRadius, c, rows, cols);
  __syncthreads();

  if (r < rows && c < cols) {
    float sum = 0.0f;
    for (int dy = -kRadius; dy <= kRadius; ++dy)
      for (int dx = -kRadius; dx <= kRadius; ++dx) sum += tile[y + dy][x + dx];
    out[r * cols + c] = sum;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
}
