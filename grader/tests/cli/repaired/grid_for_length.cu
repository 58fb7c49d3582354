// lab: lab6
// change: out += n;
constexpr int kPowers = 32;
constexpr int kBlock = 128;

// swizzled tile, one per warp: element (r, c) at column r ^ c
__device__ __forceinline__ int swz(int r, int c) { return r * 32 + (c ^ r); }

__global__ void powers(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float buf[kBlock / 32][32 * kPowers];
  const int lane = threadIdx.x & 31;
  float* tile = buf[threadIdx.x >> 5];
  const int i = blockIdx.x * kBlock + threadIdx.x;

  float v = 1.0f;
  if (i < n) v = x[i];
  float p = v;
#pragma unroll
  for (int k = 0; k < kPowers; k++) {
    p *= v;
    tile[swz(lane, k)] = p;
  }
  __syncwarp();
  const int i0 = i - lane;
#pragma unroll
  for (int r = 0; r < 32; r++) {
    if (i0 + r < n) y[(i0 + r) * kPowers + lane] = tile[swz(r, lane)];
  }
}

__global__ void powers_altered(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float p = v;
  float* out = y + i;
#pragma unroll
  for (int k = 0; k < kPowers; k++) {
    p *= v;
    *out = p;
    out += gridDim.x * kBlock;
  }
}
