constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int kPad = 1;
constexpr int kWidth = kBlock + kPad;

// One row of shared memory for each power, one column for each number of the block.
struct Stage {
  float row[kPowers][kWidth];
};

__device__ void fill(Stage& s, float value) {
  float product = value * value;
  int k = 0;
  while (true) {
    s.row[k][threadIdx.x] = product;
    if (++k == kPowers) break;
    product *= value;
  }
}

__global__ void powers(const float* x, float* y, int n) {
  __shared__ Stage s;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  fill(s, i < n ? x[i] : 1.0f);
  __syncwarp();

  const int lane = threadIdx.x & 31;
  const int column0 = threadIdx.x & ~31;
  const int number0 = i & ~31;
  const int count = min(32, n - number0);
  float* to = y + number0 * kPowers + lane;
  for (int q = 0; q < count; ++q) {
    *to = s.row[lane][column0 + q];
    to += kPowers;
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float value = x[i];
    float product = value * value;
    for (int at = i, k = 0; k < kPowers; ++k, at += n) {
      y[at] = product;
      product *= value;
    }
  }
}
