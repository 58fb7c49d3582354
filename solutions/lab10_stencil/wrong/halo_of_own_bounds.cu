// verdict: uninitialized
// defect: uninitialized.shared
// Only threads that have an element of their own load the halo: at the right and lower edge it stays empty.
constexpr int kWidth = 32, kHeight = 8;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  for (int y = threadIdx.y; y < kHeight + 2; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2; x += kWidth) {
      if (r >= rows || c >= cols) continue;
      const int hr = blockIdx.y * kHeight + y - 1, hc = blockIdx.x * kWidth + x - 1;
      const bool exists = hr >= 0 && hr < rows && hc >= 0 && hc < cols;
      tile[y][x] = exists ? in[hr * cols + hc] : 0.0f;
    }
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) {
      const int weight = (dy == 1 ? 2 : 1) * (dx == 1 ? 2 : 1);
      sum += weight * tile[threadIdx.y + dy][threadIdx.x + dx];  // <--
    }
  out[r * cols + c] = sum / 16;  // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
