// Four elements per iteration, a grid's width apart, with all eight loads in flight before the first add:
// the number of loads in flight hides the memory latency. The remaining elements are handled
// one by one.
template <typename T>
__global__ void vecadd(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  constexpr int kUnroll = 4;
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i + (kUnroll - 1) * stride < n; i += kUnroll * stride) {
    T left[kUnroll], right[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      left[k] = a[i + k * stride];
      right[k] = b[i + k * stride];
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) c[i + k * stride] = left[k] + right[k];
  }
  for (; i < n; i += stride) c[i] = a[i] + b[i];
}
