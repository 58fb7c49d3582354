// A halving tree in shared memory until 32 sums are left, for blocks that are no power of two as well:
// the upper half is rounded up, and a thread without a partner keeps its sum.
constexpr int kMaxBlock = 1024;

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[kMaxBlock];
  const int t = threadIdx.x;
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  part[t] = mine;
  __syncthreads();

  for (int half = kMaxBlock / 2; half >= 32; half /= 2) {
    if (t < half && t + half < blockDim.x) part[t] += part[t + half];
    __syncthreads();
  }

  if (t < 32) {
    T rest = part[t];
    for (int distance = 16; distance > 0; distance >>= 1)
      rest += __shfl_down_sync(0xffffffffu, rest, distance);
    if (t == 0) atomicAdd(total, rest);
  }
}
