constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

enum {
  kAtomics = 4096,
  kWavefronts = 36864,
};

template <typename T>
__device__ T warp_sum(T value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const T other = __shfl_down_sync(0xffffffff, value, distance);
    if (lane < distance) value += other;
  }
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T of_warp[kMaxBlock / 32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;

  T mine = static_cast<T>(0);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += x[i];
  }

  mine = warp_sum<T>(mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();

  if (warp == 0) {
    mine = lane < warps ? of_warp[lane] : static_cast<T>(0);
    mine = warp_sum<T>(mine);
    if (lane == 0) atomicAdd(total, mine);
  }
}
