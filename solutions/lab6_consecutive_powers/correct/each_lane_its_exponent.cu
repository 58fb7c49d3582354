// Style: nothing is staged: the warp hands its numbers around by shuffle, and lane l works out power l + 2 of each itself.
// Right: 32 lanes store the 32 powers of one number next to each other; x^(l+2) by squaring passes at most l + 1 roundings.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__device__ float power_of(float v, int e) {
  float result = 1.0f;
#pragma unroll
  for (int bit = 0; bit < 6; ++bit) {
    if (e & (1 << bit)) result *= v;
    v *= v;
  }
  return result;
}

__global__ void powers(const float* x, float* y, int n) {
  const int lane = threadIdx.x % warpSize;
  const int first = blockIdx.x * kBlock + (threadIdx.x - lane);
  float mine = 1.0f;
  if (first + lane < n) mine = x[first + lane];
  for (int j = 0; j < 32; ++j) {
    const float v = __shfl_sync(~0u, mine, j);
    const float p = power_of(v, lane + 2);
    if (first + j < n) y[(first + j) * kPowers + lane] = p;
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float q = x[i] * x[i];
  int k = 0;
  do {
    y[k * n + i] = q;
    q = q * x[i];
  } while (++k < kPowers);
}
