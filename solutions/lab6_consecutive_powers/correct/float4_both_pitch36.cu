// Style: float4 in and out of shared memory with a pitch of 36 words, so that every row stays aligned.
// Right: a quarter warp writes 8 x 16 bytes 36 words apart, to all 32 banks; the reads run along the rows.
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ __align__(16) float tile[kBlock][36];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float v = 0;
  if (i < n) v = x[i];
  float p = v * v;
#pragma unroll
  for (int k = 0; k < kPowers; k += 4) {
    float4 f;
    f.x = p, p *= v;
    f.y = p, p *= v;
    f.z = p, p *= v;
    f.w = p, p *= v;
    *(float4*)&tile[t][k] = f;
  }
  __syncthreads();
  float4* out = (float4*)(y + (size_t)blockIdx.x * kBlock * kPowers);
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int w = e * kBlock + t, number = w / 8, quad = w % 8;
    if (blockIdx.x * kBlock + number < n) out[w] = *(float4*)&tile[number][4 * quad];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float v = x[i];
    float p = v * v;
    for (int k = 0; k < kPowers; k += 4) {
      y[(size_t)(k + 0) * n + i] = p, p *= v;
      y[(size_t)(k + 1) * n + i] = p, p *= v;
      y[(size_t)(k + 2) * n + i] = p, p *= v;
      y[(size_t)(k + 3) * n + i] = p, p *= v;
    }
  }
}
