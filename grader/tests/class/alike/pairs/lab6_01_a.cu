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
  __shared__ float shared[kBlock][kPowers + 1];
  const int thread = threadIdx.x;
  const int index = blockIdx.x * kBlock + thread;
  const int lane = thread % 32;
  const int warp = thread / 32;

  if (index < n) {
    float base = x[index];
    float power = base;
    for (int k = 0; k < kPowers; k++) {
      power *= base;
      shared[thread][k] = power;
    }
  }
  __syncwarp();

  for (int j = 0; j < 32; j++) {
    int local = warp * 32 + j;
    int global = blockIdx.x * kBlock + local;
    if (global < n) {
      y[global * kPowers + lane] = shared[local][lane];
    }
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  const int index = blockIdx.x * kBlock + threadIdx.x;
  if (index < n) {
    float base = x[index];
    float power = base;
    for (int k = 0; k < kPowers; k++) {
      power *= base;
      y[k * n + index] = power;
    }
  }
}
