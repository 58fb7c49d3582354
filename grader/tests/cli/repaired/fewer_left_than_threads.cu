// lab: lab8
// change: if (t + half < left) part[t] += part[t + half];
constexpr int kMaxBlock = 1024;
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[kMaxBlock];
  const int t = threadIdx.x;
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  part[t] = mine;
  __syncthreads();
  int left = blockDim.x;
  while (left > 1) {
    const int half = (left + 1) / 2;
    if (t < half) {
      if (t + half < blockDim.x) part[t] += part[t + half];
    }
    __syncthreads();
    left = half;
  }
  if (t == 0) atomicAdd(total, part[0]);
}
