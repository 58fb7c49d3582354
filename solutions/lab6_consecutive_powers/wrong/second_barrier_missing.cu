// verdict: race
// class: missing second barrier
// defect: race.missing_syncwarp_in_loop
// Half of the powers are staged at a time, and no lane waits before the tile is filled again.
constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int kHalf = kPowers / 2;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float staged[kBlock / 32][32][kHalf + 1];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int first = i - lane;  // of the warp's numbers
  float(*mine)[kHalf + 1] = staged[threadIdx.x / 32];

  const float value = i < n ? x[i] : 0.0f;
  float power = value;
  for (int half = 0; half < 2; ++half) {
    for (int k = 0; k < kHalf; ++k) {
      power *= value;
      mine[lane][k] = power;  // <--
    }
    __syncwarp();
    for (int j = 0; j < 32; j += 2) {
      const int number = j + lane / kHalf;
      const int place = (first + number) * kPowers + half * kHalf + lane % kHalf;
      if (first + number < n) y[place] = mine[number][lane % kHalf];  // <--
    }
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
