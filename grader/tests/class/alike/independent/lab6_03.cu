// Lab 6: consecutive powers, and what the order of the output costs.
//
// For each of n numbers x[i] compute its 32 powers x[i]^2, x[i]^3, ..., x[i]^33, by repeated
// multiplication.
//
// Blocks are 128 threads, in one dimension; the grid has just enough of them that thread i of the
// grid takes x[i]. n need not be a multiple of 128.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

// The powers of one number lie side by side: y[i * kPowers + k] = x[i]^(k + 2) for 0 <= k <
// kPowers.
__global__ void powers(const float* x, float* y, int n) {
  // swizzled: power k of thread t is in column k ^ (t % 32)
  __shared__ float s[kBlock * kPowers];
  const unsigned t = threadIdx.x;
  const unsigned lane = t & 31u;
  const unsigned i = blockIdx.x * kBlock + t;

  float base = 0, q = 0;
  if (i < n) q = base = x[i];
#pragma unroll
  for (unsigned k = 0; k < kPowers; ++k) s[t * kPowers + (k ^ lane)] = q *= base;
  __syncwarp();

  const unsigned w = t - lane;
  float* to = y + (blockIdx.x * kBlock + w) * kPowers;
#pragma unroll
  for (unsigned r = 0; r < 32; ++r) {
    if (i - lane + r < n) to[r * kPowers + lane] = s[(w + r) * kPowers + (lane ^ r)];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    const float base = x[i];
    float q = base;
    float* to = y + i;
    for (int k = 0; k < kPowers; ++k, to += n) *to = q *= base;
  }
}
