constexpr int kMaxBlock = 1024;
constexpr int kWarp = 32;

template <typename T>
__device__ T allReduce(T mine) {
  int mask = 1;
  while (mask < kWarp) {
    mine = mine + __shfl_xor_sync(0xffffffffu, mine, mask);
    mask = mask * 2;
  }
  return mine;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const unsigned w = threadIdx.x >> 5;
  const unsigned l = threadIdx.x & 31;
  __shared__ T part[kMaxBlock / kWarp];

  T r = 0;
  long long at = threadIdx.x + (long long)blockDim.x * blockIdx.x;
  const long long jump = (long long)gridDim.x * blockDim.x;
  while (at < n) {
    r = r + x[at];
    at += jump;
  }

  r = allReduce(r);
  if (l == 0) part[w] = r;
  __syncthreads();

  if (w != 0) return;
  r = T(0);
  if (l < blockDim.x / kWarp) r = part[l];
  r = allReduce(r);
  if (l == 0) atomicAdd(total, r);
}
