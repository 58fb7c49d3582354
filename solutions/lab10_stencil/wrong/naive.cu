// verdict: gate load_sectors
// defect: gate.load_sectors
// Each thread loads its 49 elements from global memory.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = -kRadius; dy <= kRadius; ++dy)
    for (int dx = -kRadius; dx <= kRadius; ++dx)
      if (r + dy >= 0 && r + dy < rows && c + dx >= 0 && c + dx < cols)
        sum += in[(r + dy) * cols + c + dx];  // <--
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
