// lab: lab10
// change: for (int e = me; e < kCount; e += blockDim.x * blockDim.y) {
// Lab 10: a stencil, 7 x 7.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

// the tile: 14 rows of 38, kept as one long list of 532
constexpr int kPitch = kWidth + 2 * kRadius;
constexpr int kCount = kPitch * (kHeight + 2 * kRadius);

enum {
  kLoadSectors = 404428,  // the list, 32 elements at a time
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kCount];

  const int me = threadIdx.y * blockDim.x + threadIdx.x;  // 0 to 255

  // fill the list together: I take me, then so many further as the block has threads, and so on
  for (int e = me; e < kCount; e += blockDim.x) {
    const int r = int(blockIdx.y * kHeight) - kRadius + e / kPitch;
    const int c = int(blockIdx.x * kWidth) - kRadius + e % kPitch;
    if (r < 0 || c < 0 || r >= rows || c >= cols)
      tile[e] = 0;
    else
      tile[e] = in[r * cols + c];
  }
  __syncthreads();

  const int r = blockIdx.y * kHeight + threadIdx.y;
  const int c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;  // after the barrier, so this is fine

  float sum = 0.0f;
  for (int i = 0; i < 7; ++i) {
    const float* p = tile + (threadIdx.y + i) * kPitch + threadIdx.x;
    for (int j = 0; j < 7; ++j) sum += p[j];
  }
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional): loop over z. What a thread needs from the layers before and after is in its own
  // column: keep it in variables. Only the layer in between needs a tile.
}
