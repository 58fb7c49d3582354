// Style: a physicist: the running product is kept in double, and rounded to float once for each power.
// Right: less rounding than the bound allows; staged with a pitch of 33, stored next to each other, direct in the altered order.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float tile[kBlock][kPowers + 1];
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const double v = i < (size_t)n ? (double)x[i] : 0.0;
  double p = v;
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    tile[threadIdx.x][k] = (float)p;
  }
  __syncthreads();
  const size_t begin = (size_t)blockIdx.x * blockDim.x * kPowers;
  const size_t end = min(begin + (size_t)blockDim.x * kPowers, (size_t)n * kPowers);
  for (size_t e = begin + threadIdx.x; e < end; e += blockDim.x)
    y[e] = tile[(e - begin) / kPowers][e % kPowers];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (size_t)n) return;
  const double v = x[i];
  double p = v;
  for (int k = 0; k < kPowers; ++k) {
    p *= v;
    y[(size_t)k * n + i] = (float)p;
  }
}
