// verdict: out_of_bounds
// defect: out_of_bounds.wrong_index
// says: Step by the length of a part of `y`, not by 32.
// The distance from one power to the next is a constant instead of n.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float staged[kBlock * (kPowers + 1)];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const float value = i < n ? x[i] : 0.0f;
  float power = value;
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    staged[t * (kPowers + 1) + k] = power;
  }
  __syncthreads();
  const int first = blockIdx.x * blockDim.x * kPowers;
  for (int k = 0; k < kPowers; ++k) {
    const int place = k * kBlock + t;
    if (first + place < n * kPowers)
      y[first + place] = staged[place / kPowers * (kPowers + 1) + place % kPowers];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  float power = value;
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    y[k * 32 + i] = power;  // <--
  }
}
