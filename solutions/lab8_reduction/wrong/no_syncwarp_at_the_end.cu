// verdict: race
// defect: race.no_barrier_in_loop
// The last steps are left to one warp, as if its lanes ran in lockstep.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[1024];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 512; half >= 32; half /= 2) {
    if (threadIdx.x < half && threadIdx.x + half < blockDim.x)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 32)
    for (int half = 16; half > 0; half /= 2)
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];  // <--
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
