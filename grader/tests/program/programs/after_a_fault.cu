// What follows a fault fails, and that is no mistake of its own.
#include <cstdio>

__global__ void set(int* x) {
  *x = 1;  // <-- out_of_bounds
}
__global__ void nothing(int) {}

int main() {
  int* x = nullptr;
  int there = 7;
  cudaMalloc(&x, sizeof(int));
  set<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
  nothing<<<1, 1>>>(3);
  cudaMemcpy(&there, x, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", there);
}
// output:
// 7
