// lab: lab6
// change: if (base + r < n) y[(base + r) * kPowers + lane] = w[r * kPitch + lane];
constexpr int kPowers = 32;
constexpr int kBlock = 128;

enum {
  kStoreSectors = 4,     // how many sectors does a store of a warp to y touch?
  kStoreWavefronts = 1,  // how many wavefronts does a store to shared memory take?
};

constexpr int kPitch = kPowers + 1;
constexpr unsigned kWarp = 32;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float s[kBlock * kPitch];
  const unsigned lane = threadIdx.x & (kWarp - 1);
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int base = i - int(lane);
  float* const w = s + (threadIdx.x - lane) * kPitch;

  const float v = i < n ? x[i] : 0.f;
  float q = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) w[lane * kPitch + k] = q *= v;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < int(kWarp); ++r)
    if (i < n) y[(base + r) * kPowers + lane] = w[r * kPitch + lane];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float q = v;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) y[k * n + i] = q *= v;
}
