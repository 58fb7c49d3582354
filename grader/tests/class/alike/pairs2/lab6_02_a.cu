constexpr int kPowers = 32;
constexpr int kBlock = 128;

// column for power k of number `l` of the warp: xor spreads them over the banks
__device__ int swz(int l, int k) { return l * 32 + (k ^ l); }

__global__ void powers(const float* x, float* y, int n)
{
  __shared__ float buf[kBlock * kPowers];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  float* mine = buf + warp * 32 * kPowers;           // this warp's part
  const int first = blockIdx.x * kBlock + warp * 32; // this warp's first number

  const float v = first + lane < n ? x[first + lane] : 0.0f;
  float p = v * v;
  for (int k = 0; k < kPowers; k++) {
    mine[swz(lane, k)] = p;
    p *= v;
  }
  __syncwarp();

  const int count = n - first < 32 ? n - first : 32; // may be < 0, then no step at all
  float* dest = y + first * kPowers + lane;
  for (int j = 0; j < count; j++) {
    *dest = mine[swz(j, lane)];
    dest += kPowers;
  }
}

__global__ void powers_altered(const float* x, float* y, int n)
{
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float p = v * v;
  for (int k = 0; k < kPowers; k++) {
    y[k * n + i] = p;
    p *= v;
  }
}
