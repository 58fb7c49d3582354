// verdict: wrong_result
// defect: wrong_result.other_element
// says: y[1][0] was stored by thread (32,0,0) of block (0,0,0) at line {1}
// never: with which value the product begins
// The thread uses another thread's number: threadIdx.x and blockIdx.x are swapped.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float staged[kBlock * (kPowers + 1)];
  const int t = threadIdx.x;
  const int i = t * gridDim.x + blockIdx.x;
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
