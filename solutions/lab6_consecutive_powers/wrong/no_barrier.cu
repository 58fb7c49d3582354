// verdict: race
// class: missing first barrier
// defect: race.missing_barrier
// The block stages together, but no warp waits for the others before it reads.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float staged[kBlock][kPowers + 1];
  int first = blockIdx.x * kBlock;
  int t = threadIdx.x;
  if (first + t < n) {
    float value = x[first + t];
    float power = value;
    for (int k = 0; k < kPowers; ++k) staged[t][k] = power *= value;  // <--
  }
  for (int step = 0; step < kPowers; ++step) {
    int e = step * kBlock + t;
    if (first + e / kPowers < n) y[first * kPowers + e] = staged[e / kPowers][e % kPowers];  // <--
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
