// verdict: uninitialized
// defect: uninitialized.shared
// Each thread loads its own element only; the halo stays empty.
constexpr int kWidth = 32, kHeight = 8;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  tile[ty][tx] = r < rows && c < cols ? in[r * cols + c] : 0.0f;
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = ty - 1; y <= ty + 1; ++y)
    for (int x = tx - 1; x <= tx + 1; ++x) {
      const int weight = (y == ty ? 2 : 1) * (x == tx ? 2 : 1);
      sum += weight * tile[y][x];  // <--
    }
  out[r * cols + c] = sum / 16;  // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
