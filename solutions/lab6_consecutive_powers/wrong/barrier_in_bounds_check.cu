// verdict: race
// class: barrier in a bounds check
// defect: race.barrier_not_on_every_path
// Only threads with a number wait: warps without one read powers that are not there yet.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float staged[kBlock][kPowers + 1];
  const int first = blockIdx.x * kBlock;
  const int t = threadIdx.x;
  if (first + t < n) {
    const float value = x[first + t];
    float power = value;
    for (int k = 0; k < kPowers; ++k) staged[t][k] = power *= value;  // <--
    __syncthreads();
  }
  for (int step = 0; step < kPowers; ++step) {
    const int e = step * kBlock + t;
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
