constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 0,  // how many wavefronts of shared memory do all blocks take?
};

#define WARP_ADD(v)                                  \
  for (int o = 16; o; o >>= 1) {                     \
    v += __shfl_xor_sync(0xffffffffu, v, o);         \
  }

template <typename T>
__global__ void sum(const T* __restrict__ x, T* total, int n) {
  const int grid = gridDim.x * blockDim.x;
  int i = threadIdx.x + blockIdx.x * blockDim.x;

  // four independent sums so that four loads are on their way
  T acc[4] = {0, 0, 0, 0};
  while (i < n) {
#pragma unroll
    for (int q = 0; q < 4; q++) {
      if (i < n) acc[q] += __ldg(&x[i]);
      i += grid;
    }
  }
  T v = (acc[0] + acc[1]) + (acc[2] + acc[3]);
  WARP_ADD(v)

  __shared__ T part[32];
  if (threadIdx.x < 32) part[threadIdx.x] = T(0);
  __syncthreads();
  part[threadIdx.x / 32] = v;  // all lanes have the same
  __syncthreads();
  if (threadIdx.x < 32) {
    v = part[threadIdx.x];
    WARP_ADD(v)
    if (threadIdx.x == 0) atomicAdd(total, v);
  }
}
