constexpr int kBlock = 128;
constexpr int kPowers = 32;

// second order: no staging
__global__ void powers_altered(const float* x, float* y, int n) {
  int me = threadIdx.x + kBlock * blockIdx.x;
  if (me >= n) {
    return;
  }
  const float v = x[me];
  float w = v;
  for (int e = 0; e <= kPowers - 1; e += 1) {
    w = v * w;
    y[me + n * e] = w;
  }
}

// first order
__global__ void powers(const float* x, float* y, int n) {
  const int t = threadIdx.x;
  const int group = t / 32;
  const int pos = t % 32;
  const int me = t + kBlock * blockIdx.x;
  __shared__ float table[kBlock][1 + kPowers];

  if (!(me >= n)) {
    const float v = x[me];
    float w = v;
    for (int e = 0; e <= kPowers - 1; e += 1) {
      w = v * w;
      table[t][e] = w;
    }
  }

  __syncwarp();

  // together
  for (int s = 0; s <= 31; s += 1) {
    const int src = s + 32 * group;
    const int dst = src + kBlock * blockIdx.x;
    if (dst + 1 <= n) y[pos + kPowers * dst] = table[src][pos];
  }
}
