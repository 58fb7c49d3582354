constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,
  kWavefronts = 122880,
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T sums[kMaxBlock];

  const int global_thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int local_thread = threadIdx.x;

  T own_sum = 0;
  for (int element = global_thread; element < n; element += gridDim.x * blockDim.x) {
    own_sum += x[element];
  }
  sums[local_thread] = own_sum;
  __syncthreads();

  // whole warps add, until one warp is left
  int warps_left = blockDim.x / 32;
  while (warps_left > 1) {
    const int warps_kept = (warps_left + 1) / 2;
    if (local_thread < (warps_left - warps_kept) * 32) {
      sums[local_thread] += sums[local_thread + warps_kept * 32];
    }
    __syncthreads();
    warps_left = warps_kept;
  }

  if (local_thread < 32) {
    T warp_sum = sums[local_thread];
    for (int distance = 16; distance >= 1; distance /= 2) {
      warp_sum += __shfl_down_sync(0xffffffff, warp_sum, distance);
    }
    if (local_thread == 0) {
      atomicAdd(total, warp_sum);
    }
  }
}
