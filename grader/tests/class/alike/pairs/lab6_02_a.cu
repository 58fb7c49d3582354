constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float s[4][32 * 33];
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x >> 5;
  int first = blockIdx.x * kBlock + warp * 32;   // first number of this warp
  float* mine = s[warp];

  float v = first + lane < n ? x[first + lane] : 1.0f;
  float p = v;
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    mine[lane * 33 + k] = p;
  }
  __syncwarp();

  int count = n - first;
  if (count > 32) count = 32;
  for (int r = 0; r < count; ++r) {
    y[(first + r) * kPowers + lane] = mine[r * 33 + lane];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  float p = v;
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    y[k * n + i] = p;
  }
}
