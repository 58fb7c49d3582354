// lab: lab6
// change: if (start + warp * kWarp + number < n) {
// change: y[(start + warp * kWarp + number) * kPowers + lane] = buffer[warp][number][lane];
// Lab 6: each warp stages for itself, then its 32 lanes store one number's powers per step.
constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int kWarp = 32;

enum {
  kStoreSectors = 4,
  kStoreWavefronts = 1,
};

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float buffer[kBlock / kWarp][kWarp][kPowers + 1];

  const int warp = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  const int start = blockIdx.x * kBlock;  // first number
  const int i = start + threadIdx.x;

  float xi = 0;
  if (i < n) xi = x[i];
  float power = xi;
  for (int k = 0; k < kPowers; k++) {
    power *= xi;
    buffer[warp][lane][k] = power;
  }
  __syncwarp();

  // number after number; the lane is the exponent
  for (int number = 0; number < kWarp; number++) {
    if (start + number < n) {
      y[(start + number) * kPowers + lane] = buffer[warp][number][lane];
    }
  }
}

// No: neighbours store neighbours here.
__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float xi = x[i];
  float power = xi;
  for (int k = 0; k < kPowers; k++) {
    power *= xi;
    y[k * n + i] = power;
  }
}
