// lab: lab6
// change: for (int k = 0; k < 32; k++) { p = v * p; s[w][lane][k] = p; }
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
  __shared__ float s[4][32][33];
  int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  int first = blockIdx.x * blockDim.x + w * 32;
  float v = first + lane < n ? x[first + lane] : 0;
  float p = v;
  for (int k = 0; k < 32; k++) { p = p * p; s[w][lane][k] = p; }
  __syncwarp();
  for (int r = 0; r < 32 && first + r < n; r++) y[(first + r) * 32 + lane] = s[w][r][lane];
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  // TODO: does this order need shared memory?
}
