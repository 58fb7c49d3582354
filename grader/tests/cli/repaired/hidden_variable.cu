// lab: lab6
// change: power = power * x[i];
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float buf[kBlock][kPowers + 1];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n) {
    float v = x[i];
    float p = v;
    for (int k = 0; k < kPowers; k++) {
      p = p * v;
      buf[t][k] = p;
    }
  }
  __syncwarp();
  int lane = t % 32;
  int w = t - lane;
  for (int j = 0; j < 32; j++) {
    int number = blockIdx.x * kBlock + w + j;
    if (number < n) y[number * kPowers + lane] = buf[w + j][lane];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float power = x[i];
    for (int k = 0; k < kPowers; k++) {
      float power = power * x[i];
      y[k * n + i] = power;
    }
  }
}
