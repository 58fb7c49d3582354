// No padding: power k of a thread's number is staged at column k ^ lane of its row, so that at each
// step the 32 threads write to 32 different banks. Reading row j, thread `lane` finds its power at
// column lane ^ j.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  constexpr int kPitch = kPowers;
  __shared__ float staged[kBlock / 32][32 * kPitch];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int first = i - lane;  // of the warp's numbers
  float* mine = staged[threadIdx.x / 32];

  const float value = i < n ? x[i] : 0.0f;
  float power = value;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    mine[lane * kPitch + (k ^ lane)] = power;
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    if (first + j < n) y[(first + j) * kPowers + lane] = mine[j * kPitch + (lane ^ j)];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  float power = value;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    y[k * n + i] = power;
  }
}
