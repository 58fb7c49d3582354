// lab: lab6
// change: float v = x[blockIdx.x * blockDim.x + t], p = v;
// change: for (int e = t; e < here * kPowers; e += kBlock) y[blockIdx.x * blockDim.x * kPowers + e] = stage[e / kPowers][e % kPowers];
constexpr int kPowers = 32;
constexpr int kBlock = 128;
enum { kStoreSectors = 4, kStoreWavefronts = 1, };
__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kBlock][kPowers + 1];
  const int t = threadIdx.x;
  const int here = min(kBlock, n - (int)blockIdx.x * kBlock);
  if (t < here) {
    float v = x[t], p = v;
    for (int k = 0; k < kPowers; ++k) {
      p *= v;
      stage[t][k] = p;
    }
  }
  __syncthreads();
  for (int e = t; e < here * kPowers; e += kBlock) y[e] = stage[e / kPowers][e % kPowers];
}
__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float v = x[i], p = v;
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    y[k * n + i] = p;
  }
}
