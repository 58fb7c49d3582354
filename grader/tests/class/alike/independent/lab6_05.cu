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
  constexpr int kWarp = 32;
  // stored power by power, with a pitch of 33: [power][thread in warp]
  __shared__ float staged[kBlock / kWarp][kPowers][kWarp + 1];
  int me = threadIdx.x & (kWarp - 1);
  auto& mine = staged[threadIdx.x >> 5];

  int number = blockIdx.x * blockDim.x + threadIdx.x;
  float f = 1.0f;
  if (number < n) f = x[number];
  float prod = f;
  for (int k = 0; k < kPowers; k += 1) {
    prod *= f;
    mine[k][me] = prod;
  }
  __syncwarp();

  int begin = number - me;
  int end = begin + kWarp;
  if (end > n) end = n;
  for (int j = begin; j < end; ++j) {
    y[j * kPowers + me] = mine[me][j - begin];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  // No: neighbouring threads already write neighbouring elements.
  int number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number >= n) return;
  float f = x[number];
  float prod = f;
  for (int k = 0; k < kPowers; k += 1) {
    prod *= f;
    y[k * n + number] = prod;
  }
}
