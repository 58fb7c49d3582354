// Style: no shared memory: 32 powers in 32 registers, transposed within the warp by five rounds of __shfl_xor_sync.
// Right: after round d lanes and registers have swapped bit d; then lane l holds power l of all 32 numbers and stores next to each other.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * kBlock + threadIdx.x - lane;
  const float v = first + lane < n ? x[first + lane] : 0.0f;
  float r[32];
  float p = v;
#pragma unroll
  for (int k = 0; k < 32; ++k) r[k] = p *= v;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const bool upper = lane & d;
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      if (k & d) continue;
      const float give = upper ? r[k] : r[k + d];
      const float got = __shfl_xor_sync(0xffffffffu, give, d);
      if (upper)
        r[k] = got;
      else
        r[k + d] = got;
    }
  }
#pragma unroll
  for (int j = 0; j < 32; ++j)
    if (first + j < n) y[(size_t)(first + j) * kPowers + lane] = r[j];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float power = v;
  for (int k = 0; k < kPowers; ++k) {
    power *= v;
    y[k * n + i] = power;
  }
}
