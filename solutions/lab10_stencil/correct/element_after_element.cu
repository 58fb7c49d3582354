// The tile as one list of 532 elements that all threads fill together; a function does the bounds.
constexpr int kWidth = 32, kHeight = 8, kPitch = kWidth + 6, kTile = kPitch * (kHeight + 6);

__device__ float element(const float* in, int r, int c, int rows, int cols) {
  if (r < 0 || c < 0 || r >= rows || c >= cols) return 0.0f;
  return in[static_cast<size_t>(r) * cols + c];
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = thread; i < kTile; i += blockDim.x * blockDim.y)
    tile[i] = element(in, (int)blockIdx.y * kHeight + i / kPitch - 3,
                      (int)blockIdx.x * kWidth + i % kPitch - 3, rows, cols);
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r < rows && c < cols) {
    const float* p = &tile[threadIdx.y * kPitch + threadIdx.x];
    float sum = 0;
    for (int i = 0; i < 7; i++, p += kPitch) sum += p[0] + p[1] + p[2] + p[3] + p[4] + p[5] + p[6];
    out[r * cols + c] = sum;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
