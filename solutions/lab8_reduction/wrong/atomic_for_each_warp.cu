// verdict: gate atomics
// defect: gate.atomics
// Shuffles within the warp, then an atomic for each of them: eight times as many as blocks.
template <typename T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);  // <--
}
