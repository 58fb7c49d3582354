constexpr int kPowers = 32;
constexpr int kBlock = 128;

// All 128 threads work together here: __syncthreads and a flat copy of the block's output
__global__ void powers(const float* x, float* y, int n) {
  __shared__ float all[kBlock * (kPowers + 1)];
  int start = blockIdx.x * kBlock;
  int count = min(kBlock, n - start);
  int t = threadIdx.x;

  if (t < count) {
    float v = x[start + t];
    float acc = v;
    float* mine = all + t * (kPowers + 1);
    for (int k = 0; k < kPowers; ++k) {
      acc = acc * v;
      mine[k] = acc;
    }
  }
  __syncthreads();

  int total = count * kPowers;
  for (int e = t; e < total; e += kBlock) {
    int number = e / kPowers;
    int power = e % kPowers;
    y[start * kPowers + e] = all[number * (kPowers + 1) + power];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float v = x[i], acc = v;
    for (int k = 0; k < kPowers; ++k) {
      acc = acc * v;
      y[i + k * n] = acc;
    }
  }
}
