constexpr int kPowers = 32;
constexpr int kBlock = 128;

// Power by power: tile[k][number], pitch 129 so that going down a column
// takes another bank each time. The whole block works together.
__global__ void powers(const float* x, float* y, int n) {
  __shared__ float tile[kPowers][kBlock + 1];
  const int t = threadIdx.x;
  const int start = blockIdx.x * kBlock;

  float f = 0;
  if (start + t < n) f = x[start + t];
  float pw = f;
  for (int k = 0; k != kPowers; k++) {
    pw = pw * f;
    tile[k][t] = pw;
  }
  __syncthreads();

  // The results of the block are 4096 floats in a row (fewer in the last block).
  const int total = n * kPowers;
  for (int e = t; e < kBlock * kPowers; e += kBlock) {
    const int dst = start * kPowers + e;
    if (dst < total)
      y[dst] = tile[e % kPowers][e / kPowers];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    const float f = x[i];
    float pw = f;
    float* to = y + i;
    for (int k = 0; k != kPowers; k++) {
      pw = pw * f;
      *to = pw;
      to += n;
    }
  }
}
