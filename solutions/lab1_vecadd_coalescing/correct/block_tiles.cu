// Each block takes tiles of 8 elements per thread, one whole tile after another. Within a tile the
// threads step by blockDim.x, so that neighbours still touch neighbours: a thread's elements need
// not be far apart to be coalesced; they must only not be adjacent.
template <typename T>
__global__ void vecadd(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  constexpr int kPerThread = 8;
  const long long tile = static_cast<long long>(kPerThread) * blockDim.x;
  for (long long first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
      const long long i = first + k * blockDim.x + threadIdx.x;
      if (i < n) c[i] = a[i] + b[i];
    }
  }
}
