// Lab 6: consecutive powers, and what the order of the output costs.
//
// For each of n numbers x[i] compute its 32 powers x[i]^2, x[i]^3, ..., x[i]^33, by repeated
// multiplication.
//
// Blocks are 128 threads, in one dimension; the grid has just enough of them that thread i of the
// grid takes x[i]. n need not be a multiple of 128.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

// Calls store(k, v^(k + 2)) for each k.
template <typename Store>
__device__ void for_each_power(float v, Store store) {
  float result = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) {
    result *= v;
    store(k, result);
  }
}

// The powers of one number lie side by side: y[i * kPowers + k] = x[i]^(k + 2) for 0 <= k <
// kPowers.
__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kBlock][kPowers + 1];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n) for_each_power(x[i], [&](int k, float v) { stage[t][k] = v; });
  __syncwarp();
  int k = t % 32;
  int t0 = t - k;
  int i0 = i - k;
  int live = n - i0;  // numbers of this warp, if less than 32
  for (int j = 0; j < 32; ++j) {
    if (j < live) y[(i0 + j) * kPowers + k] = stage[t0 + j][k];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) for_each_power(x[i], [&](int k, float v) { y[k * n + i] = v; });
}
