// Four loads are under way before the first addition.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (; i + 3 * step < n; i += 4 * step) {
    T a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
    s0 += a;
    s1 += b;
    s2 += c;
    s3 += d;
  }
  for (; i < n; i += step) s0 += x[i];
  T mine = (s0 + s1) + (s2 + s3);

#pragma unroll
  for (int k = 16; k >= 1; k /= 2) mine += __shfl_down_sync(0xffffffff, mine, k);
  __shared__ T warps[32];
  if (threadIdx.x % warpSize == 0) warps[threadIdx.x / warpSize] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    T all = 0;
    for (int w = 0; w < blockDim.x / warpSize; ++w) all += warps[w];
    atomicAdd(total, all);
  }
}
