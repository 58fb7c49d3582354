// lab: lab8
// change: __shared__ T of_block; if (threadIdx.x == 0) of_block = 0; __syncthreads(); if (threadIdx.x % 32 == 0) atomicAdd(&of_block, s); __syncthreads(); if (threadIdx.x == 0) atomicAdd(total, of_block);
// why: change_once_a_block
constexpr int kMaxBlock = 1024;
enum { kAtomics = 4096, kWavefronts = 0 };

#define FULL 0xffffffff

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const int stride = blockDim.x * gridDim.x;
  T s = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    s += x[i];
    i += stride;
  }
  // sum over the warp
  s += __shfl_down_sync(FULL, s, 16);
  s += __shfl_down_sync(FULL, s, 8);
  s += __shfl_down_sync(FULL, s, 4);
  s += __shfl_down_sync(FULL, s, 2);
  s += __shfl_down_sync(FULL, s, 1);

  if (threadIdx.x % 32 == 0) atomicAdd(total, s);
}
