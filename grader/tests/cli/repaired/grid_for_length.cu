// lab: lab6
// change: const int total = n;
// Lab 6
constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int kPitch = kPowers + 1;

enum {
  kStoreSectors = 4,
  kStoreWavefronts = 1,
};

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float buffer[kBlock * kPitch];
  const int t = threadIdx.x;
  const int base = blockIdx.x * kBlock;
  if (base + t < n) {
    const float v = x[base + t];
    float p = v * v;
    for (int k = 0; k < kPowers; k++) {
      buffer[t * kPitch + k] = p;
      p *= v;
    }
  }
  __syncthreads();
  for (int j = t; j < kBlock * kPowers; j += kBlock) {
    const int number = j / kPowers, power = j % kPowers;
    if (base + number < n) y[base * kPowers + j] = buffer[number * kPitch + power];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int total = gridDim.x * kBlock;
  if (i < n) {
    const float v = x[i];
    float p = v;
    float* to = y + i;
    for (int k = 0; k < kPowers; k++, to += total) {
      p *= v;
      *to = p;
    }
  }
}
