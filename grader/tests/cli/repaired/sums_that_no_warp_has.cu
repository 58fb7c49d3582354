// lab: lab8
// change: s = warpSum(lane < blockDim.x / 32 ? warpSums[lane] : 0);
// why: change_unstored
constexpr int kMaxBlock = 1024;

enum {
  kAtomics = 4096,
  kWavefronts = 36864,
};

template <typename T>
__device__ T warpSum(T v) {
  for (int distance = 16; distance > 0; distance >>= 1)
    v += __shfl_down_sync(0xffffffff, v, distance);
  return v;  // only lane 0 has the sum
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T warpSums[kMaxBlock / 32];  // 32 warps, so again one warp can add them

  T s = 0;
  int step = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += step) s += x[i];

  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  s = warpSum(s);
  if (lane == 0) warpSums[warp] = s;
  __syncthreads();

  if (warp == 0) {
    s = warpSum(warpSums[lane]);
    if (lane == 0) atomicAdd(total, s);
  }
}
