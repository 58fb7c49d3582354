// Style: powers reads x[i] by name in the loop; powers_altered takes __restrict__, so the compiler keeps x[i] by itself.
// Right: in powers nothing but shared memory is written in between, so x[i] is loaded once there too.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float tile[kBlock][kPowers + 1];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x][0] = x[i] * x[i];
    for (int k = 1; k < kPowers; ++k) tile[threadIdx.x][k] = tile[threadIdx.x][k - 1] * x[i];
  }
  __syncthreads();
  for (int e = threadIdx.x; e < kBlock * kPowers; e += kBlock)
    if (blockIdx.x * kBlock + e / kPowers < n)
      y[blockIdx.x * kBlock * kPowers + e] = tile[e / kPowers][e % kPowers];
}

__global__ void powers_altered(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float power = x[i];
    for (int k = 0; k < kPowers; ++k) {
      power *= x[i];
      y[k * n + i] = power;
    }
  }
}
