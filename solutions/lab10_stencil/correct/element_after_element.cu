// The tile as one list of 340 elements that all threads fill together; a function does the bounds.
constexpr int kWidth = 32, kHeight = 8, kPitch = kWidth + 2, kTile = kPitch * (kHeight + 2);

__device__ float element(const float* in, int r, int c, int rows, int cols) {
  if (r < 0 || c < 0 || r >= rows || c >= cols) return 0.0f;
  return in[static_cast<size_t>(r) * cols + c];
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = thread; i < kTile; i += blockDim.x * blockDim.y)
    tile[i] = element(in, (int)blockIdx.y * kHeight + i / kPitch - 1,
                      (int)blockIdx.x * kWidth + i % kPitch - 1, rows, cols);
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r < rows && c < cols) {
    const float* p = &tile[(threadIdx.y + 1) * kPitch + threadIdx.x + 1];
    const float corners = p[-kPitch - 1] + p[-kPitch + 1] + p[kPitch - 1] + p[kPitch + 1];
    const float sides = p[-kPitch] + p[-1] + p[1] + p[kPitch];
    out[r * cols + c] = (corners + 2.0f * sides + 4.0f * p[0]) / 16.0f;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
