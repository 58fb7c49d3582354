// verdict: gate tree
// defect: gate.tree
// One thread adds what all threads have left in shared memory.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[1024];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int k = 1; k < blockDim.x; ++k) mine += part[k];  // <--
  atomicAdd(total, mine);
}
