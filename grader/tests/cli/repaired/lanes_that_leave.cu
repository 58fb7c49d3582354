// lab: lab8
// change: if (threadIdx.x < 32) {
// change: T block_sum = add_up(threadIdx.x < warps ? warp_sums[threadIdx.x] : 0);
// why: change_whole_warp
// Lab 8: reduction.
//
// Add all n elements of x to *total, which is 0 before the launch.
constexpr int kMaxBlock = 1024;
constexpr int kWarp = 32;

enum {
  kAtomics = 4096,
  kWavefronts = 36864,  // 8 warps store a sum, one warp loads them: 9 * 4096
};

// afterwards, lane 0 has the sum of the warp
template <typename T>
__device__ T add_up(T v) {
  v += __shfl_down_sync(0xffffffff, v, 16);
  v += __shfl_down_sync(0xffffffff, v, 8);
  v += __shfl_down_sync(0xffffffff, v, 4);
  v += __shfl_down_sync(0xffffffff, v, 2);
  v += __shfl_down_sync(0xffffffff, v, 1);
  return v;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T warp_sums[kMaxBlock / kWarp];
  const int warp = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  const int warps = blockDim.x / kWarp;

  T acc = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    acc += x[i];
  }

  acc = add_up(acc);
  if (lane == 0) warp_sums[warp] = acc;
  __syncthreads();

  // As many threads as there are sums of warps. The others are done.
  if (threadIdx.x < warps) {
    T block_sum = add_up(warp_sums[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(total, block_sum);
  }
}
