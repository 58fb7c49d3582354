// lab: lab8
// change: for (; i < n; i += gridDim.x * blockDim.x) mine += x[i];
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T sums[kMaxBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T mine = 0;
  if (i < n) mine = x[i];
  sums[t] = mine;
  __syncthreads();
  for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
    int half = (count + 1) / 2;
    if (t + half < count) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, sums[0]);
}
