// lab: lab6
// change: __shared__ float buf[kBlock * kPitch];
// why: change_room_for_block
// Lab 6: consecutive powers
constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int kPitch = kPowers + 1;

enum {
  kStoreSectors = 4,
  kStoreWavefronts = 1,
};

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float buf[kPowers * kPitch];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  float base = i < n ? x[i] : 1.0f;
  float value = base;
  float* mine = buf + threadIdx.x * kPitch;
  for (int k = 0; k < kPowers; ++k) {
    value = value * base;
    mine[k] = value;
  }
  __syncwarp();

  const int first = blockIdx.x * kBlock + warp * 32;  // the first number of my warp
  int todo = 32;
  if (first + todo > n) todo = n - first;
  for (int j = 0; j < todo; ++j)
    y[(first + j) * kPowers + lane] = buf[(warp * 32 + j) * kPitch + lane];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float value = x[i];
    for (int k = 0; k < kPowers; ++k) {
      value = value * x[i];
      y[k * n + i] = value;
    }
  }
}
