// Lab 8: reduction
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 36864,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  constexpr unsigned kFull = 0xffffffff;
  __shared__ T warpSums[kMaxBlock / 32];

  const int lane = threadIdx.x % 32;
  const int wid = threadIdx.x / 32;
  const int numWarps = blockDim.x / 32;

  T v = 0;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  while (gid < n) {
    v += x[gid];
    gid += stride;
  }

  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(kFull, v, offset);
  if (lane == 0) warpSums[wid] = v;
  __syncthreads();

  if (wid == 0) {
    v = lane < numWarps ? warpSums[lane] : T(0);
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(kFull, v, offset);
    if (lane == 0) atomicAdd(total, v);
  }
}
