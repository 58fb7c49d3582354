// Style: staged power after power for the whole block, 32 rows of 129 words.
// Right: writes run along a row; reads go down a column with pitch 129, and 129 % 32 is 1.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kPowers][kBlock + 1];
  const int t = threadIdx.x;
  const long long first = (long long)blockIdx.x * kBlock;
  if (first + t < n) {
    const float v = x[first + t];
    float p = v;
    for (int k = 0; k < kPowers; ++k) {
      p = p * v;
      stage[k][t] = p;
    }
  }
  __syncthreads();
  // the block's part of y is one row of up to 4096 floats
  const int count = (int)min((long long)kBlock, n - first) * kPowers;
  for (int e = t; e < count; e += kBlock) y[first * kPowers + e] = stage[e % kPowers][e / kPowers];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const long long i = (long long)blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float v = x[i], p = v;
    float* out = y + i;
    for (int k = 0; k < kPowers; ++k, out += n) {
      p = p * v;
      *out = p;
    }
  }
}
