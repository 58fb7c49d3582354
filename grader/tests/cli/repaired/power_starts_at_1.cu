// lab: lab6
// change: float v = x[i], p = v;
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float s[kBlock][kPowers + 1];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n) {
    float v = x[i], p = 1;
    for (int k = 0; k < kPowers; k++) {
      p *= v;
      s[t][k] = p;
    }
  }
  __syncthreads();
  for (int e = t; e < kBlock * kPowers; e += kBlock) {
    int num = blockIdx.x * kBlock + e / kPowers;
    if (num < n) y[num * kPowers + e % kPowers] = s[e / kPowers][e % kPowers];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float v = x[i], p = v;
    for (int k = 0; k < kPowers; k++) {
      p *= v;
      y[k * n + i] = p;
    }
  }
}
