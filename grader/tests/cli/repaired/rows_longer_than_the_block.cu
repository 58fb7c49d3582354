// lab: lab10
// change: const int y = e / (kWidth + 2 * kRadius), x = e % (kWidth + 2 * kRadius);
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
enum { kLoadSectors = 0, kLoadWavefronts = 1, };
__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kHeight, left = blockIdx.x * kWidth;
  for (int e = ty * kWidth + tx; e < (kHeight + 2 * kRadius) * (kWidth + 2 * kRadius); e += kWidth * kHeight) {
    const int y = e / kWidth, x = e % kWidth;
    const int r = top + y - kRadius, c = left + x - kRadius;
    tile[y][x] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0.0f;
  }
  __syncthreads();
  if (top + ty < rows && left + tx < cols) {
    float sum = 0;
    for (int dy = 0; dy <= 2 * kRadius; ++dy)
      for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[ty + dy][tx + dx];
    out[(top + ty) * cols + left + tx] = sum;
  }
}
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO
}
