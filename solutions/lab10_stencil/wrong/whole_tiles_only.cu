// verdict: wrong_result
// class: only multiples of 32
// defect: wrong_result.multiples
// Only whole tiles are stored.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  for (int y = threadIdx.y; y < kHeight + 2 * kRadius; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2 * kRadius; x += kWidth) {
      const int r = blockIdx.y * kHeight + y - kRadius, c = blockIdx.x * kWidth + x - kRadius;
      const bool exists = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[y][x] = exists ? in[r * cols + c] : 0.0f;
    }
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows / kHeight * kHeight || c >= cols / kWidth * kWidth) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * kRadius; ++dy)
    for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
