// lab: lab6
// change: y[first * kPowers + e] = stage[number][turned(k, number)];
// Lab 6: consecutive powers, and what the order of the output costs.
//
// For each of n numbers x[i] compute its 32 powers x[i]^2, x[i]^3, ..., x[i]^33, by repeated
// multiplication.
//
// Blocks are 128 threads, in one dimension; the grid has just enough of them that thread i of the
// grid takes x[i]. n need not be a multiple of 128.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// In powers():
enum {
  kStoreSectors = 4,     // how many sectors does a store of a warp to y touch?
  kStoreWavefronts = 1,  // how many wavefronts does a store to shared memory take?
};

// Instead of padding: row r is turned by r places, so that power k of 32 numbers is in 32 banks.
__device__ int turned(int k, int by) { return (k + by) % kPowers; }

// The powers of one number lie side by side: y[i * kPowers + k] = x[i]^(k + 2) for 0 <= k <
// kPowers.
__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kBlock][kPowers];
  const int t = threadIdx.x;
  const int first = blockIdx.x * kBlock;

  if (first + t < n) {
    const float v = x[first + t];
    float p = v;
    for (int k = 0; k < kPowers; ++k) {
      p *= v;
      stage[t][turned(k, t)] = p;
    }
  }
  __syncthreads();

  // Now the block stores its 4096 powers one after another, 128 at a time.
  const int count = min(kBlock, n - first) * kPowers;
  for (int e = t; e < count; e += kBlock) {
    const int number = e / kPowers;
    const int k = e % kPowers;
    y[first * kPowers + e] = stage[number][turned(k, t)];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float p = v;
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    y[k * n + i] = p;
  }
}
