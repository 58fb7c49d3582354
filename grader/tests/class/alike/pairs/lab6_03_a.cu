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
  // Swizzle so no padding is needed
  __shared__ float tile[kBlock][kPowers];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int lane = t % warpSize;
  int w0 = t - lane;

  float a = 0.0f;
  if (i < n) a = x[i];
  float b = a * a;
  tile[t][0 ^ lane] = b;
  for (int k = 1; k < kPowers; k++) {
    b *= a;
    tile[t][k ^ lane] = b;
  }
  __syncwarp();
  for (int q = 0; q < warpSize; q++) {
    int num = i - lane + q;
    if (num < n) y[num * kPowers + lane] = tile[w0 + q][lane ^ q];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = x[i];
    float b = a * a;
    y[i] = b;
    for (int k = 1; k < kPowers; k++) {
      b *= a;
      y[k * n + i] = b;
    }
  }
}
