// lab: lab6
// change: stage[t * kPowers + ((k + t) & 31)] = p;
// change: if (number < n) y[number * kPowers + lane] = stage[row * kPowers + ((lane + row) & 31)];
constexpr int kPowers = 32;
constexpr int kBlock = 128;

enum { kStoreSectors = 4, kStoreWavefronts = 1 };

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kBlock * kPowers];
  const int t = threadIdx.x;
  const int lane = t & 31;
  const int warp = t >> 5;
  const int i = blockIdx.x * kBlock + t;

  const float v = i < n ? x[i] : 0.f;
  float p = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    stage[t * kPowers + ((k + warp) & 31)] = p;
  }
  __syncwarp();

#pragma unroll
  for (int j = 0; j < 32; ++j) {
    const int row = warp * 32 + j;
    const int number = blockIdx.x * kBlock + row;
    if (number < n) y[number * kPowers + lane] = stage[row * kPowers + ((lane + warp) & 31)];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float p = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) y[k * n + i] = (p *= v);
}
