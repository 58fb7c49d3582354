// Lab 6: consecutive powers.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  // One extra column against the bank conflicts.
  __shared__ float stage[kBlock][kPowers + 1];

  int i = blockIdx.x * kBlock + threadIdx.x;
  int lane = threadIdx.x % 32;
  int first = threadIdx.x - lane;  // first thread of this warp

  if (i < n) {
    float base = x[i];
    float power = base;
    for (int k = 0; k < kPowers; ++k) {
      power *= base;
      stage[threadIdx.x][k] = power;
    }
  }
  __syncwarp();

  // The warp stores one number's powers at each step.
  for (int j = 0; j < 32; ++j) {
    int number = blockIdx.x * kBlock + first + j;
    if (number < n) {
      y[number * kPowers + lane] = stage[first + j][lane];
    }
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float base = x[i];
    float power = base;
    for (int k = 0; k < kPowers; ++k) {
      power *= base;
      y[k * n + i] = power;
    }
  }
}
