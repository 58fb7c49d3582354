// verdict: wrong_result
// class: only block (0,0)
// defect: wrong_result.unread_input
// Every block reads the elements of the first one.
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
  for (int i = threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];

  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();

  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : T(0);
  mine = warp_sum(mine);
  if (threadIdx.x == 0) atomicAdd(total, mine);
}
