// verdict: uninitialized
// class: uninitialised tile edge
// defect: uninitialized.shared
// All 32 lanes read the sum of a warp, although the block has fewer warps.
template <typename T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T of_warp[32];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];

  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();

  if (threadIdx.x >= 32) return;
  mine = of_warp[threadIdx.x];  // <--
  mine = warp_sum(mine);
  if (threadIdx.x == 0) atomicAdd(total, mine);  // <--
}
