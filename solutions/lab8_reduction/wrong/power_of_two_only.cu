// verdict: wrong_result
// defect: wrong_result.unread_shared
// says: nothing reads the value that line
// never: by hand
// The tree halves the block: 96 threads leave 3 sums, and one of them is lost.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[1024];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 1; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
