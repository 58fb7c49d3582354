// Lab 8: reduction
constexpr int kMaxBlock = 1024;

enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 36864,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T w[32];
  const int tid = threadIdx.x;
  const int lane = tid & 31, warp = tid >> 5;

  // how many elements for a block, rounded up
  int chunk = n / gridDim.x;
  if (n % gridDim.x) ++chunk;
  const long long lo = (long long)blockIdx.x * chunk;
  if (lo < n) {
    int m = chunk;
    if (n - lo < m) m = n - lo;

    if (warp == 0) w[tid] = 0;

    T part = 0;
    int j = tid;
    while (j < m) {
      part += x[lo + j];
      j += blockDim.x;
    }
    __syncthreads();

    int d = 1;
    while (d < 32) {
      part += __shfl_down_sync(0xffffffff, part, d);
      d <<= 1;
    }
    if (lane == 0) w[warp] = part;
    __syncthreads();
    if (tid < 32) {
      part = w[tid];
      d = 1;
      while (d < 32) {
        part += __shfl_down_sync(0xffffffff, part, d);
        d <<= 1;
      }
      if (tid == 0) atomicAdd(total, part);
    }
  }
}
