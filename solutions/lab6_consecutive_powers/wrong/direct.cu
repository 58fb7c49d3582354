// verdict: gate sectors
// defect: gate.sectors
// No staging: at each step the threads of a warp store 32 floats apart.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  float power = value;
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    y[i * kPowers + k] = power;  // <--
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
