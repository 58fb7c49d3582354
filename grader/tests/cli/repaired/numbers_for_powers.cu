// lab: lab6
// change: const int many = min(n - start, kNumbers) * kPowers;
constexpr int kPowers = 32;
constexpr int kNumbers = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float kept[kNumbers][kPowers + 1];
  const int start = blockIdx.x * kNumbers;
  if (start + threadIdx.x < n) {
    const float v = x[start + threadIdx.x];
    float power = v;
    for (int k = 0; k < kPowers; ++k) kept[threadIdx.x][k] = power *= v;
  }
  __syncthreads();
  const int many = min(n - start, kNumbers * kPowers);
  for (int i = threadIdx.x; i < many; i += kNumbers)
    y[start * kPowers + i] = kept[i / kPowers][i % kPowers];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kNumbers + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float power = v;
  for (int k = 0; k < kPowers; ++k) y[k * n + i] = power *= v;
}
