// verdict: gate tree
// defect: gate.tree
// Every second, every fourth, every eighth thread adds its neighbour: all warps stay busy, with fewer and fewer of their threads.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[1024];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (threadIdx.x % (2 * s) == 0 && threadIdx.x + s < blockDim.x)
      part[threadIdx.x] += part[threadIdx.x + s];  // <--
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
