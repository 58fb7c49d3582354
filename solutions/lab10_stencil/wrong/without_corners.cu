// verdict: wrong_result
// defect: wrong_result.value
// Four neighbours instead of eight: the corners are left out.
constexpr int kWidth = 32, kHeight = 8;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  for (int y = threadIdx.y; y < kHeight + 2; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2; x += kWidth) {
      const int r = blockIdx.y * kHeight + y - 1, c = blockIdx.x * kWidth + x - 1;
      const bool exists = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[y][x] = exists ? in[r * cols + c] : 0.0f;
    }
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  const int y = threadIdx.y + 1, x = threadIdx.x + 1;
  const float sum =
      4 * tile[y][x] + 2 * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]);
  out[r * cols + c] = sum / 16;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
