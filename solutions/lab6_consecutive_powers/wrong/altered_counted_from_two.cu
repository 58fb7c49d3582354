// verdict: out_of_bounds
// defect: out_of_bounds.past_last_row
// says: goes from row 2 to row 32 of `y`
// The loop counts exponents from 2 and uses them as positions, which count from 0.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  constexpr int kPitch = kPowers + 1;
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
  for (int k = 2; k < kPowers + 2; ++k) {
    power *= value;
    y[k * n + i] = power;  // <--
  }
}
