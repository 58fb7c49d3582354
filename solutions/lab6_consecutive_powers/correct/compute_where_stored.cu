// Style: the numbers of the block are staged, not the powers: each thread works out the one power that it is about to store.
// Right: a warp reads one word of the stage (a broadcast) and stores 32 powers of one number next to each other; x^e by squaring.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float numbers[kBlock];
  const int first = blockIdx.x * kBlock;
  if (first + threadIdx.x < n) numbers[threadIdx.x] = x[first + threadIdx.x];
  __syncthreads();
  const int exponent = threadIdx.x % kPowers + 2;
  for (int r = threadIdx.x / kPowers; r < kBlock && first + r < n; r += kBlock / kPowers) {
    float square = numbers[r], result = 1.0f;
    for (int e = exponent; e > 0; e /= 2) {
      if (e % 2) result *= square;
      square *= square;
    }
    y[(first + r) * kPowers + threadIdx.x % kPowers] = result;
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float power = v;
  for (int k = 0; k < kPowers; ++k) {
    power *= v;
    y[k * n + i] = power;
  }
}
