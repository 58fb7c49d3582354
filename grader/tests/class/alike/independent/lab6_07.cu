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
  // rotate: power k goes to bank (k + lane) mod 32
  __shared__ float sm[kBlock][kPowers];
  int tid = threadIdx.x;
  int gid = blockIdx.x * kBlock + tid;
  int lane = tid % 32;
  int warp0 = tid / 32 * 32;
  float num = 0.f;
  if (gid < n) num = x[gid];
  float pw = num * num;
  for (int k = 0; k < kPowers; k++) {
    sm[tid][(k + lane) % kPowers] = pw;
    pw = pw * num;
  }
  __syncwarp();
  for (int j = 0; j < 32; j++) {
    int g = blockIdx.x * kBlock + warp0 + j;
    if (g < n)
      y[g * kPowers + lane] = sm[warp0 + j][(lane + j) % kPowers];
  }
}

// The same powers of all numbers lie side by side: y[k * n + i] = x[i]^(k + 2).
__global__ void powers_altered(const float* x, float* y, int n) {
  int gid = blockIdx.x * kBlock + threadIdx.x;
  if (gid < n) {
    float num = x[gid];
    float pw = num * num;
    for (int k = 0; k < kPowers; k++) {
      y[k * n + gid] = pw;
      pw = pw * num;
    }
  }
}
