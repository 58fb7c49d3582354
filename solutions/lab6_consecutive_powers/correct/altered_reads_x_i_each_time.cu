// Style: x[i] is written out wherever it is needed; no variable for it, and no __restrict__.
// Right: every store and every load is coalesced; x[i] comes from the L1 cache after the first time.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float tile[kBlock][kPowers + 1];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    float p = v;
    for (int k = 0; k < kPowers; ++k) tile[threadIdx.x][k] = p *= v;
  }
  __syncthreads();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int r = warp; r < kBlock; r += kBlock / 32) {
    const int number = blockIdx.x * kBlock + r;
    if (number < n) y[number * kPowers + lane] = tile[r][lane];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float power = x[i];
    for (int k = 0; k < kPowers; ++k) {
      power *= x[i];
      y[k * n + i] = power;
    }
  }
}
