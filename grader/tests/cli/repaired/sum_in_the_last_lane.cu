// lab: lab8
// change: if (lane == 0) warp_sums[warp] = own;
// change: if (lane == 0) atomicAdd(total, all);
// Lab 8: reduction, with shuffles.
constexpr int kMaxBlock = 1024;

enum {
  kAtomics = 4096,
  kWavefronts = 36864,  // 8 warps store, one loads: 9 for each block
};

constexpr int kWarp = 32;

// Adds up the values of a warp. Each round moves the values down by `distance`, so they all collect
// at the lower end of the warp, in its last thread.
template <typename T>
__device__ T add_warp(T value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T warp_sums[kMaxBlock / kWarp];
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const int warps = blockDim.x / kWarp;

  T own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    own += x[i];
  }

  own = add_warp(own);
  if (lane == kWarp - 1) warp_sums[warp] = own;
  __syncthreads();

  if (warp == 0) {
    T all = lane < warps ? warp_sums[lane] : T(0);
    all = add_warp(all);
    if (lane == kWarp - 1) atomicAdd(total, all);
  }
}
