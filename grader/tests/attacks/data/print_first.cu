// Tells how the input begins: what a student can find out about the seed of students.
#include <cstdio>
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  if (first == 0 && n > 0) printf("first: %a\n", double(a[0]));
  for (int i = first; i < n; i += step) c[i] = a[i] + b[i];
}
