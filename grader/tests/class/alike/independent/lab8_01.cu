constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,
  kWavefronts = 65536,
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T part[kMaxBlock];
  const int t = threadIdx.x;
  const int all = gridDim.x * blockDim.x;

  T v = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += all) v += x[i];
  part[t] = v;
  __syncthreads();

  if (t >= 32) return;
  // the first warp adds column by column, then across
  v = 0;
  for (int k = t; k < blockDim.x; k += 32) v += part[k];
  v += __shfl_down_sync(0xffffffff, v, 16);
  v += __shfl_down_sync(0xffffffff, v, 8);
  v += __shfl_down_sync(0xffffffff, v, 4);
  v += __shfl_down_sync(0xffffffff, v, 2);
  v += __shfl_down_sync(0xffffffff, v, 1);
  if (t == 0) atomicAdd(total, v);
}
