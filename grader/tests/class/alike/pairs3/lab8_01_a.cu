constexpr int kMaxBlock = 1024;

template <typename T>
__device__ T butterfly(T v) {
  for (int bit = 1; bit < 32; bit <<= 1) v += __shfl_xor_sync(0xffffffffu, v, bit);
  return v;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T warp_sum[kMaxBlock / 32];

  T acc = 0;
  const long long step = (long long)blockDim.x * gridDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    acc += x[i];
  }

  acc = butterfly(acc);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  if (lane == 0) warp_sum[warp] = acc;
  __syncthreads();

  if (warp == 0) {
    acc = lane < blockDim.x / 32 ? warp_sum[lane] : T(0);
    acc = butterfly(acc);
    if (lane == 0) atomicAdd(total, acc);
  }
}
