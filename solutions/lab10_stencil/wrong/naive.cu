// verdict: gate load_sectors
// defect: gate.load_sectors
// Each thread loads its nine elements from global memory.
constexpr int kWidth = 32, kHeight = 8;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (r + dy >= 0 && r + dy < rows && c + dx >= 0 && c + dx < cols)
        sum += (dy == 0 ? 2 : 1) * (dx == 0 ? 2 : 1) * in[(r + dy) * cols + c + dx];  // <--
  out[r * cols + c] = sum / 16;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
