// verdict: uninitialized
// defect: uninitialized.shared
// Only threads that have an element of their own load the halo: at the right and lower edge it stays empty.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  for (int y = threadIdx.y; y < kHeight + 2 * kRadius; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2 * kRadius; x += kWidth) {
      if (r >= rows || c >= cols) continue;
      const int hr = blockIdx.y * kHeight + y - kRadius, hc = blockIdx.x * kWidth + x - kRadius;
      const bool exists = hr >= 0 && hr < rows && hc >= 0 && hc < cols;
      tile[y][x] = exists ? in[hr * cols + hc] : 0.0f;
    }
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * kRadius; ++dy)
    for (int dx = 0; dx <= 2 * kRadius; ++dx)
      sum += tile[threadIdx.y + dy][threadIdx.x + dx];  // <--
  out[r * cols + c] = sum;                              // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
