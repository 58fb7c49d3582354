// Three steps: each thread adds its elements in a register; each warp adds its 32 sums by shuffles; the
// first warp adds what the warps have left in shared memory. One atomic per block.
template <typename T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;  // right in lane 0
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
  mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : T(0);
  mine = warp_sum(mine);
  if (threadIdx.x == 0) atomicAdd(total, mine);
}
