// Managed memory that the host and a kernel change at the same time, each with atomic functions of the whole system: no mistake.
#include <cstdio>

__global__ void count(int* sum) { atomicAdd_system(sum, 1); }

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  count<<<4, 64>>>(sum);
  __sync_fetch_and_add(sum, 1);
  cudaDeviceSynchronize();
  std::printf("%d\n", *sum);
  cudaFree(sum);
}
// output:
// 257
