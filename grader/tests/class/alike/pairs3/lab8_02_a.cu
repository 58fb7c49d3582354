constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

template <typename T>
__device__ T addWarp(T value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T warpSums[kMaxBlock / 32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int warps = blockDim.x / 32;

  T mySum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mySum += x[i];
  }

  mySum = addWarp(mySum);
  if (lane == 0) {
    warpSums[warp] = mySum;
  }
  __syncthreads();

  if (warp == 0) {
    T blockSum = lane < warps ? warpSums[lane] : T(0);
    blockSum = addWarp(blockSum);
    if (lane == 0) {
      atomicAdd(total, blockSum);
    }
  }
}
