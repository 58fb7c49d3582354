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
  __shared__ float stage[kBlock][kPowers + 1];
  int i = blockIdx.x * kBlock + threadIdx.x;
  int lane = threadIdx.x % 32;
  int first = threadIdx.x - lane;

  float value = i < n ? x[i] : 0.0f;
  float power = value;
  for (int k = 0; k < kPowers; k++) {
    power *= value;
    stage[threadIdx.x][k] = power;
  }
  __syncwarp();

  for (int s = 0; s < 32; s++) {
    int number = blockIdx.x * kBlock + first + s;
    if (number < n) y[number * kPowers + lane] = stage[first + s][lane];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  float power = value;
  for (int k = 0; k < kPowers; k++) {
    power *= value;
    y[k * n + i] = power;
  }
}
