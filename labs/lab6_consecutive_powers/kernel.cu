// Lab 6: consecutive powers, and what the order of the output costs.
//
// For each of n numbers x[i] compute its 32 powers x[i]^2, x[i]^3, ..., x[i]^33, by repeated
// multiplication.
//
// Blocks are 128 threads, in one dimension; the grid has just enough of them that thread i of the
// grid takes x[i]. n need not be a multiple of 128.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

// Predict first (no points), a number in place of each 0.
// In powers():
enum {
  kStoreSectors = 0,     // how many sectors does a store of a warp to y touch?
  kStoreWavefronts = 0,  // how many wavefronts does a store to shared memory take?
};

// The powers of one number lie side by side: y[i * kPowers + k] = x[i]^(k + 2) for 0 <= k <
// kPowers.
__global__ void powers(const float* x, float* y, int n) {
  // TODO: a thread that stored its powers directly would write with a stride of 32 floats. Stage
  // them in shared memory, then let the 32 threads of a warp store 32 neighbouring floats at each
  // step. Mind the banks, on both sides.
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  // TODO: does this order need shared memory?
}
