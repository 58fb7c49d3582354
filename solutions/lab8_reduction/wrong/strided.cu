// verdict: gate conflicts
// defect: gate.conflicts
// The first threads add, but what they add is 2, 4, 8, ... words apart: in fewer and fewer banks.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[1024];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    const int at = 2 * s * threadIdx.x;
    if (at + s < blockDim.x) part[at] += part[at + s];  // <--
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
