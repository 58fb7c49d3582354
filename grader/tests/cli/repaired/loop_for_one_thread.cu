// lab: lab8
// change: if (threadIdx.x == 0) for (int w = 0; w < blockDim.x / 32; w++) {
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 65536,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T sums[kMaxBlock / 32];

  // each thread adds its own elements
  T s = 0;
  int start = blockIdx.x * blockDim.x + threadIdx.x;
  int step = blockDim.x * gridDim.x;
  for (int i = start; i < n; i += step) {
    s = s + x[i];
  }

  // each warp adds up its threads
  for (int distance = 16; distance >= 1; distance = distance / 2) {
    s = s + __shfl_down_sync(0xffffffff, s, distance);
  }
  if (threadIdx.x % 32 == 0) {
    sums[threadIdx.x / 32] = s;
  }
  __syncthreads();

  // the block adds up its warps
  T block_sum = 0;
  for (int w = 0; w < blockDim.x / 32; w++) {
    block_sum = block_sum + sums[w];
  }
  if (threadIdx.x == 0) {
    atomicAdd(total, block_sum);
  }
}
