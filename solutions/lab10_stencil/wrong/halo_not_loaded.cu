// verdict: uninitialized
// defect: uninitialized.shared
// Each thread loads its own element only; the halo stays empty.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int tx = threadIdx.x + 3, ty = threadIdx.y + 3;
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  tile[ty][tx] = r < rows && c < cols ? in[r * cols + c] : 0.0f;
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = ty - 3; y <= ty + 3; ++y)
    for (int x = tx - 3; x <= tx + 3; ++x) sum += tile[y][x];  // <--
  out[r * cols + c] = sum;                                     // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
