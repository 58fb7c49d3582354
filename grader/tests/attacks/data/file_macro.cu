// Prints where it is compiled.
#include <cstdio>
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) printf("<%s|%s>\n", __FILE__, __func__);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
