// verdict: out_of_bounds
// defect: out_of_bounds.negative_index
// The halo above the first row is not kept from being loaded.
constexpr int kWidth = 32, kHeight = 8;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  for (int y = threadIdx.y; y < kHeight + 2; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2; x += kWidth) {
      const int r = blockIdx.y * kHeight + y - 1, c = blockIdx.x * kWidth + x - 1;
      const bool exists = r < rows && c < cols;
      tile[y][x] = exists ? in[r * cols + c] : 0.0f;  // <--
    }
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) {
      const int weight = (dy == 1 ? 2 : 1) * (dx == 1 ? 2 : 1);
      sum += weight * tile[threadIdx.y + dy][threadIdx.x + dx];
    }
  out[r * cols + c] = sum / 16;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
