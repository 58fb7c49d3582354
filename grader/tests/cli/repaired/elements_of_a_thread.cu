// lab: lab1
// change: for (long long base = tid; base < n; base += threads * PER_THREAD) {
// change: const long long i = base + k * threads;
#define PER_THREAD 8

template <typename T>
__global__ void vecadd(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long tid = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  for (long long base = tid * PER_THREAD; base < n; base += threads * PER_THREAD) {
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
      const long long i = base + k;
      if (i < n) c[i] = a[i] + b[i];
    }
  }
}
