// verdict: wrong_result
// defect: barrier.after_early_return
// Threads without a number return, but their warp still needs them to store: each of them stores one
// power of every number.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  constexpr int kPitch = kPowers + 1;
  __shared__ float staged[kBlock / 32][32 * kPitch];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int first = i - lane;  // of the warp's numbers
  if (i >= n) return;  // <--
  float* mine = staged[threadIdx.x / 32];

  const float value = x[i];
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
