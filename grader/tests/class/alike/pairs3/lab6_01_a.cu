constexpr int kPowers = 32;
constexpr int kBlock = 128;

template <int N>
__device__ __forceinline__ void fill(float* row, float v) {
  float t = v;
#pragma unroll
  for (int k = 0; k < N; ++k) row[k] = (t *= v);
}

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float rows[kBlock][kPowers + 1];
  const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int base = blockIdx.x * kBlock + w * 32;

  if (base + lane < n) fill<kPowers>(rows[threadIdx.x], x[base + lane]);
  __syncwarp();

  for (int r = 0; r < 32; ++r) {
    if (base + r >= n) break;
    y[(base + r) * kPowers + lane] = rows[w * 32 + r][lane];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    float t = v;
    for (int k = 0; k < kPowers; ++k) y[k * n + i] = (t *= v);
  }
}
