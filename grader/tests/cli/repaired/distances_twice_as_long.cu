// lab: lab8
// change: for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
// change: for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
// why: change_halving
// one number for the whole grid
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  for (int d = 32; d > 1; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
  if (lane == 0) part[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = lane < blockDim.x / 32 ? part[lane] : 0;
    for (int d = 32; d > 1; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
    if (lane == 0) atomicAdd(total, mine);
  }
}
