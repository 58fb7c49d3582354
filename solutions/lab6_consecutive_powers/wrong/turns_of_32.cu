// verdict: wrong_result
// defect: race.same_element
// says: the one before it, y[34][0], was stored by thread (96,0,0) of block (0,0,0) at line {1}
// says: Let each iteration advance by what the threads of the block store side by side: 128 elements
// never: blockIdx
// The block's threads store side by side, but each iteration advances by 32 elements, as if the block were a warp.
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
    const int place = k * 32 + t;
    if (first + place < n * kPowers)
      y[first + place] = staged[place / kPowers * (kPowers + 1) + place % kPowers];  // <--
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  float power = value;
  for (int k = 0; k < kPowers; ++k) {
    power *= value;
    y[k * n + i] = power;
  }
}
