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
  const int w = threadIdx.x / 32;
  const int l = threadIdx.x % 32;
  __shared__ float staging[4][33 * 32];
  float* part = staging[w];
  const int origin = 32 * w + kBlock * blockIdx.x;

  // one number for each thread
  float num;
  if (l + origin >= n)
    num = 1.0f;
  else
    num = x[l + origin];
  float cur = num;
  for (int e = 0; e < kPowers; e++) {
    cur = num * cur;
    part[e + 33 * l] = cur;
  }

  const int limit = (n - origin <= 32) ? n - origin : 32;
  __syncwarp();
  for (int q = 0; q + 1 <= limit; q++) y[l + kPowers * (q + origin)] = part[l + 33 * q];
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  const int pos = threadIdx.x + kBlock * blockIdx.x;
  if (pos < n) {
    const float num = x[pos];
    float cur = num;
    for (int e = 0; e < kPowers; e++) {
      cur = num * cur;
      y[pos + n * e] = cur;
    }
  }
}
