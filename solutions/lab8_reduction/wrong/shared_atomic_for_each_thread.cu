// verdict: gate shared_atomics
// defect: gate.shared_atomics
// The atomics moved to shared memory, all to one address.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  atomicAdd(&all, mine);  // <--
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, all);
}
