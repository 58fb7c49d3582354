// Style: a small tile of 9 words a number: eight powers are staged and stored at a time, four times over.
// Right: a warp stores whole sectors (32 bytes each of four numbers that are eight apart), and 72 g + p lies in 32 banks.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float chunk[kBlock / 32][32][9];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int first = blockIdx.x * kBlock + 32 * warp;
  float v = 0.0f;
  if (first + lane < n) v = x[first + lane];
  float power = v;
  for (int k0 = 0; k0 < kPowers; k0 += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      power *= v;
      chunk[warp][lane][k] = power;
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int number = 8 * (lane / 8) + j, part = lane % 8;
      if (first + number < n) y[(first + number) * kPowers + k0 + part] = chunk[warp][number][part];
    }
    __syncwarp();
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float power = v;
  for (int k = 0; k < kPowers; ++k) {
    power *= v;
    y[k * n + i] = power;
  }
}
