constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 184320,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const int me = threadIdx.x;
  const int all = blockDim.x * gridDim.x;
  __shared__ T cache[kMaxBlock];

  // grid-stride loop
  T acc = 0;
  int k = me + blockDim.x * blockIdx.x;
  while (k < n) {
    acc = acc + x[k];
    k += all;
  }
  cache[me] = acc;
  __syncthreads();

  // tree
  for (int left = blockDim.x, mid; left > 1; left = mid) {
    mid = (left >> 1) + (left & 1);
    const int partner = mid + me;
    if (partner < left) cache[me] = cache[partner] + cache[me];
    __syncthreads();
  }

  if (me != 0) return;
  atomicAdd(total, cache[me]);
}
