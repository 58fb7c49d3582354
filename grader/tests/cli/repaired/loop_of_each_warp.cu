// lab: lab6
// change: for (int j = threadIdx.x / 32; j < kBlock; j += kBlock / 32) {
// Lab 6: consecutive powers, and what the order of the output costs.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

enum {
  kStoreSectors = 4,
  kStoreWavefronts = 1,
};

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kBlock][kPowers + 1];  // + 1 against conflicts
  const int first = blockIdx.x * kBlock;
  const int i = first + threadIdx.x;

  if (i < n) {
    const float v = x[i];
    float p = v;
    for (int k = 0; k < kPowers; ++k) {
      p *= v;
      stage[threadIdx.x][k] = p;
    }
  }
  __syncthreads();

  // 32 steps. At each, the 32 threads of a warp store the 32 powers of one number.
  const int lane = threadIdx.x % 32;
  for (int j = 0; j < 32; ++j) {
    if (first + j < n) y[(first + j) * kPowers + lane] = stage[j][lane];
  }
}

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
