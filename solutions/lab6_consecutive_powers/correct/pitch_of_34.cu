// A pitch of 34 looks as if two threads shared each bank. But rows that begin at even words let the compiler store two powers
// at once, 8 bytes per thread, and 16 threads with 8 bytes each reach all 32 banks: free of conflicts too.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  constexpr int kPitch = kPowers + 2;
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
    mine[lane * kPitch + k] = power;
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    if (first + j < n) y[(first + j) * kPowers + lane] = mine[j * kPitch + lane];
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
