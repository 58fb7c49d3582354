// Style: a Stage struct with put() and take(); 16 powers at a time, so that half the shared memory is enough.
// Right: pitch 17 for the writes; two numbers 16 apart are read at once, 17 * 16 = 16 mod 32, so their 2 x 16 words lie in 32 banks.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

struct Stage {
  float words[kBlock / 32][32][17];
  __device__ void put(int k, float value) { words[threadIdx.x / 32][threadIdx.x % 32][k] = value; }
  __device__ float take(int number, int k) const { return words[threadIdx.x / 32][number][k]; }
};

__global__ void powers(const float* x, float* y, int n) {
  __shared__ Stage stage;
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int first = i - lane;
  const float v = i < n ? x[i] : 0.0f;
  float power = v;
  for (int half = 0; half < kPowers; half += 16) {
    for (int k = 0; k < 16; ++k) stage.put(k, power *= v);
    __syncwarp();
    for (int j = 0; j < 16; ++j) {
      const int number = j + (lane & 16);
      const float value = stage.take(number, lane & 15);
      if (first + number < n) y[(size_t)(first + number) * kPowers + half + (lane & 15)] = value;
    }
    __syncwarp();
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (!(i < n)) return;
  float v = x[i];
  float even = v * v;  // v^2, v^4, ...
  float square = even;
  for (int k = 0; k < kPowers; k += 2) {
    y[(size_t)k * n + i] = even;
    y[(size_t)(k + 1) * n + i] = even * v;
    even *= square;
  }
}
