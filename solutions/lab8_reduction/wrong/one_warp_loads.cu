// verdict: gate ratio
// defect: gate.ratio
// The first warp of each block reads the elements of the whole block; the other seven wait.
template <typename T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  T mine = 0;
  if (threadIdx.x < 32)
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) {
      mine += x[i];
      __threadfence();
    }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = warp_sum(mine);
  if (threadIdx.x == 0) atomicAdd(total, mine);
}
