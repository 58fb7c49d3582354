// A kernel that never ends is stopped at its loop, whichever block it is; a large one is not.
// options: --budget 3000000
#include <cstdio>

__global__ void work(int* numbers) {
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += i * threadIdx.x;
  numbers[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {  // <-- budget
  }
}

int main() {
  int *numbers, *flag, first;
  cudaMalloc(&numbers, 200 * 64 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  work<<<200, 64>>>(numbers);
  cudaMemcpy(&first, numbers + 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  wait_for<<<1, 32>>>(flag);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// output:
// 499500
// cudaErrorLaunchFailure
