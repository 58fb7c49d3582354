// verdict: wrong_result
// defect: wrong_result.value
// Outside of the matrix, the nearest element is taken where the task says 0.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  for (int y = threadIdx.y; y < kHeight + 2 * kRadius; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2 * kRadius; x += kWidth) {
      const int r = blockIdx.y * kHeight + y - kRadius, c = blockIdx.x * kWidth + x - kRadius;
      const int nr = max(0, min(r, rows - 1)), nc = max(0, min(c, cols - 1));
      tile[y][x] = rows > 0 && cols > 0 ? in[nr * cols + nc] : 0.0f;
    }
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * kRadius; ++dy)
    for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
