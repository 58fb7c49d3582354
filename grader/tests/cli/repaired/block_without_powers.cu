// lab: lab6
// change: float* dst = y + blockIdx.x * kBlock * kPowers;
constexpr int kPowers = 32;
constexpr int kBlock = 128;
#define PITCH (kPowers + 1)

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float s[kBlock * PITCH];
  int gid = threadIdx.x + blockIdx.x * blockDim.x;
  if (gid < n) {
    float* mine = s + threadIdx.x * PITCH;
    float base = x[gid];
    float p = base * base;
    for (int k = 0; k < kPowers; k++, p *= base) mine[k] = p;
  }
  __syncthreads();

  // copy the whole block out, linear
  float* dst = y + blockIdx.x * kBlock;
  int valid = min(kBlock, n - (int)(blockIdx.x * kBlock)) * kPowers;
  for (int e = threadIdx.x; e < valid; e += kBlock) {
    dst[e] = s[(e / kPowers) * PITCH + e % kPowers];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int gid = threadIdx.x + blockIdx.x * blockDim.x;
  if (gid < n) {
    float base = x[gid];
    float p = base * base;
    for (int k = 0; k < kPowers; k++, p *= base) y[k * n + gid] = p;
  }
}
