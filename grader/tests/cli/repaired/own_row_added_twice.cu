// lab: lab10
// change: const int gr = blockIdx.y * kHeight + y - kRadius, gc = blockIdx.x * kWidth + x - kRadius;
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
enum { kLoadSectors = 0, kLoadWavefronts = 1, };
__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * kHeight + ty, c = blockIdx.x * kWidth + tx;
  for (int y = ty; y < kHeight + 2 * kRadius; y += kHeight)
    for (int x = tx; x < kWidth + 2 * kRadius; x += kWidth) {
      const int gr = r + y - kRadius, gc = c + x - kRadius;
      tile[y][x] = gr >= 0 && gr < rows && gc >= 0 && gc < cols ? in[gr * cols + gc] : 0.0f;
    }
  __syncthreads();
  if (r < rows && c < cols) {
    float sum = 0;
    for (int dy = 0; dy <= 2 * kRadius; ++dy)
      for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[ty + dy][tx + dx];
    out[r * cols + c] = sum;
  }
}
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO
}
