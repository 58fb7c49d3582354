// lab: lab8
// change: unsigned half = (count + 1) / 2;
// change: if (threadIdx.x + half < count) part[threadIdx.x] += part[threadIdx.x + half];
// why: change_halves
// Lab 8: reduction.
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,  // how many atomics on *total do all threads make?
  kWavefronts = 0,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[kMaxBlock / 32];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];

  // every warp alone first
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
  __syncthreads();

  // then a tree over the warps
  unsigned count = blockDim.x / 32;
  while (count > 1) {
    unsigned half = count / 2;
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
    count = half;
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
