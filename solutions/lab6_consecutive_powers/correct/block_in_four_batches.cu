// Style: the whole block shares one 32 x 33 tile and goes through its 128 numbers 32 at a time, with two barriers a batch.
// Right: only one warp writes at a time, all four read; the tile is a quarter as large and free of conflicts.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float tile[32][33];
  const int t = threadIdx.x;
  const int lane = t & 31, warp = t >> 5;
  const int start = blockIdx.x * blockDim.x;
  const int i = start + t;
  float v = 1.0f;
  if (i < n) v = x[i];

  for (int batch = 0; batch < 4; batch++) {
    if (warp == batch) {
      float p = v * v;
      for (int k = 0; k < kPowers; k++) {
        tile[lane][k] = p;
        p *= v;
      }
    }
    __syncthreads();
    for (int r = warp; r < 32; r += 4) {
      const int number = start + 32 * batch + r;
      if (number < n) y[number * kPowers + lane] = tile[r][lane];
    }
    __syncthreads();
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    float p = v * v;
    for (int k = 0; k < kPowers; k++) {
      y[i + k * n] = p;
      p *= v;
    }
  }
}
