// Style: as in CUB: a block takes tiles of 8 * blockDim.x neighbours, unrolled in steps of blockDim.x.
// Right: each step is coalesced; whole tiles have no guard, the last one has; tiles stride over the grid.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  constexpr int kItems = 8;
  const int tile = kItems * blockDim.x;
  for (long long begin = (long long)blockIdx.x * tile; begin < n;
       begin += (long long)gridDim.x * tile) {
    const int i = (int)begin + threadIdx.x;
    if (begin + tile <= n) {
      T x[kItems], y[kItems];
#pragma unroll
      for (int k = 0; k < kItems; ++k) x[k] = a[i + k * blockDim.x];
#pragma unroll
      for (int k = 0; k < kItems; ++k) y[k] = b[i + k * blockDim.x];
#pragma unroll
      for (int k = 0; k < kItems; ++k) c[i + k * blockDim.x] = x[k] + y[k];
    } else {
      for (int k = 0; k < kItems; ++k)
        if (i + k * (int)blockDim.x < n)
          c[i + k * blockDim.x] = a[i + k * blockDim.x] + b[i + k * blockDim.x];
    }
  }
}
