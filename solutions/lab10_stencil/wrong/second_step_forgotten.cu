// verdict: uninitialized
// defect: uninitialized.shared
// Each thread fills one place of the tile, which has 532 of them.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3, kPitch = kWidth + 2 * kRadius;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kPitch];
  const int i = threadIdx.y * kWidth + threadIdx.x;
  const int hr = (int)blockIdx.y * kHeight + i / kPitch - kRadius;
  const int hc = (int)blockIdx.x * kWidth + i % kPitch - kRadius;
  const bool exists = hr >= 0 && hr < rows && hc >= 0 && hc < cols;
  tile[i / kPitch][i % kPitch] = exists ? in[hr * cols + hc] : 0.0f;
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * kRadius; ++dy)
    for (int dx = 0; dx <= 2 * kRadius; ++dx)
      sum += tile[threadIdx.y + dy][threadIdx.x + dx];  // <--
  out[r * cols + c] = sum;                              // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
