// lab: lab8
// change: T mine = 0;
// why: change_begins_with_element
// Lab 8
constexpr int kMaxBlock = 1024;

enum {
  kAtomics = 4096,
  kWavefronts = 36864,
};

template <typename T>
__device__ T warp_sum(T v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T parts[kMaxBlock / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T mine = i < n ? x[i] : T(0);
  for (; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  mine = warp_sum(mine);
  if (lane == 0) parts[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const int warps = blockDim.x / 32;
    T v = lane < warps ? parts[lane] : T(0);
    v = warp_sum(v);
    if (lane == 0) atomicAdd(total, v);
  }
}
