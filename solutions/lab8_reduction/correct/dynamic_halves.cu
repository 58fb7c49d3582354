// The tree's size comes from the block: what is left is halved and rounded up, until one warp remains.
template <typename T>
__device__ void add_pairs(T* s, int count) {
  while (count > 32) {
    const int kept = (count + 1) / 2;
    if (int(threadIdx.x) < count - kept) s[threadIdx.x] += s[threadIdx.x + kept];
    __syncthreads();
    count = kept;
  }
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T s[1024];
  T value = T(0);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n;
       i += gridDim.x * blockDim.x)
    value += x[i];
  s[threadIdx.x] = value;
  __syncthreads();
  add_pairs(s, int(blockDim.x));
  if (threadIdx.x < 32) {
    // 96, 160, ... threads leave fewer than 32 sums; the rest of the array holds what is added already
    int left = int(blockDim.x);
    while (left > 32) left = (left + 1) / 2;
    T v = int(threadIdx.x) < left ? s[threadIdx.x] : T(0);
    v += __shfl_xor_sync(0xffffffff, v, 16);
    v += __shfl_xor_sync(0xffffffff, v, 8);
    v += __shfl_xor_sync(0xffffffff, v, 4);
    v += __shfl_xor_sync(0xffffffff, v, 2);
    v += __shfl_xor_sync(0xffffffff, v, 1);
    if (threadIdx.x == 0) atomicAdd(total, v);
  }
}
