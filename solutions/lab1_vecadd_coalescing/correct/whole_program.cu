// A whole program, as it is written while trying things out: the headers are accepted and main() is
// left out when the file is graded. Only the kernel counts.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    c[i] = a[i] + b[i];
  }
}

int main() {
  const int n = 1000;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i) a[i] = b[i] = i;
  vecadd<float><<<4, 128>>>(a, b, c, n);
  cudaDeviceSynchronize();
  printf("%g\n", c[n - 1]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
