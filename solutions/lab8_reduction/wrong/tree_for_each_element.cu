// verdict: gate one_tree
// defect: gate.one_tree
// The whole block adds up after each load, not once at the end.
template <typename T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T of_warp[32];
  T all = 0;
  for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    const int i = first + threadIdx.x;
    T mine = i < n ? x[i] : T(0);
    mine = warp_sum(mine);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();  // <--
    if (threadIdx.x < 32) {
      mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : T(0);
      all += warp_sum(mine);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, all);
}
