// Every lane ends up with the warp's sum (__shfl_xor_sync), and every warp adds the sums of all warps.
template <typename T>
__global__ void sum(const T* __restrict__ x, T* total, int n) {
  const unsigned int kAll = 0xFFFFFFFFu;
  __shared__ T sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;

  T s = T(0);
  int step = blockDim.x * gridDim.x;
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  while (i < n) {
    s = s + x[i];
    i = i + step;
  }

  s += __shfl_xor_sync(kAll, s, 1);
  s += __shfl_xor_sync(kAll, s, 2);
  s += __shfl_xor_sync(kAll, s, 4);
  s += __shfl_xor_sync(kAll, s, 8);
  s += __shfl_xor_sync(kAll, s, 16);
  if (lane == 0) sums[warp] = s;
  __syncthreads();

  if (warp == 0) {
    s = lane < warps ? sums[lane] : T(0);
    for (int mask = 1; mask < 32; mask <<= 1) s += __shfl_xor_sync(kAll, s, mask);
    if (lane == 0) atomicAdd(total, s);
  }
}
