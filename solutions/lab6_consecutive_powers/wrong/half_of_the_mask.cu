// verdict: barrier
// defect: barrier.mask
// The mask names 16 lanes, but all 32 shuffle.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__device__ float power_of(float value, int exponent) {
  float power = 1.0f;
#pragma unroll
  for (int bit = 0; bit < 6; ++bit) {
    if (exponent >> bit & 1) power *= value;
    value *= value;
  }
  return power;
}

__global__ void powers(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int first = i - lane;
  const float value = i < n ? x[i] : 0.0f;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    const float power = power_of(__shfl_sync(0x0000ffffu, value, j), lane + 2);  // <--
    if (first + j < n) y[(first + j) * kPowers + lane] = power;
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  float power = value;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    y[k * n + i] = power;
  }
}
