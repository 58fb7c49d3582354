// The block stages together, with one barrier for all of its warps, and stores its 128 x 32 powers
// as one long run. The altered order counts with 64 bits: 32 n may exceed an int.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float staged[kBlock][kPowers + 1];
  const int first = blockIdx.x * kBlock;
  const int t = threadIdx.x;
  if (first + t < n) {
    const float value = x[first + t];
    float power = value;
#pragma unroll
    for (int k = 0; k < kPowers; ++k) staged[t][k] = power *= value;
  }
  __syncthreads();

  const int count = min(kBlock, n - first) * kPowers;
  float* mine = y + static_cast<size_t>(first) * kPowers;
#pragma unroll
  for (int step = 0; step < kPowers; ++step) {
    const int e = step * kBlock + t;
    if (e < count) mine[e] = staged[e / kPowers][e % kPowers];
  }
}

__global__ void powers_altered(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  float power = value;
#pragma unroll
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    y[static_cast<size_t>(k) * n + i] = power;
  }
}
