// Style: no padding: power k of lane l lies at column k ^ l.
// Right: for one k the 32 lanes hit 32 columns, for one number the 32 columns are a permutation.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__device__ __forceinline__ int at(int number, int k) {
  return number * kPowers + (k ^ (number & 31));
}

__global__ void __launch_bounds__(kBlock)
    powers(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float s[kBlock * kPowers];
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  const float v = i < (unsigned)n ? __ldg(x + i) : 0.0f;
  float power = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) s[at(threadIdx.x, k)] = (power *= v);
  __syncthreads();
  const size_t base = (size_t)blockIdx.x * kBlock * kPowers;
  const size_t end = (size_t)n * kPowers;
#pragma unroll
  for (int e = 0; e < kPowers; ++e) {
    const int word = e * kBlock + threadIdx.x;
    if (base + word < end) y[base + word] = s[at(word / kPowers, word % kPowers)];
  }
}

__global__ void __launch_bounds__(kBlock)
    powers_altered(const float* __restrict__ x, float* __restrict__ y, int n) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= (unsigned)n) return;
  const float v = __ldg(x + i);
  float power = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) y[(size_t)k * n + i] = (power *= v);
}
