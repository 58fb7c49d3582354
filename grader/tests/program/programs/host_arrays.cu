// Copies that are larger than the host's memory: an array of the program, a block of malloc(), and what lies behind its middle.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int count = 32;
static int few[4], enough[count];

__global__ void number(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }

int main() {
  int* numbers;
  const size_t bytes = count * sizeof(int);
  cudaMalloc(&numbers, bytes);
  number<<<1, count>>>(numbers);
  cudaMemcpy(enough, numbers, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(enough + 16, numbers, bytes / 2, cudaMemcpyDeviceToHost);
  cudaMemcpy(&few[0], numbers, sizeof few, cudaMemcpyDeviceToHost);
  cudaMemcpy(numbers, few, bytes, cudaMemcpyHostToDevice);  // <-- host_short
  // malloc() gives more than 100 bytes, which nobody may use
  void* block = std::malloc(100);
  cudaMemcpy(block, numbers, 104, cudaMemcpyDeviceToHost);  // <-- host_small
  cudaMemcpy(block, numbers, 100, cudaMemcpyDeviceToHost);
  std::vector<int> some(8);
  cudaMemcpy(numbers, some.data() + 2, 24, cudaMemcpyHostToDevice);
  cudaMemcpy(numbers, some.data() + 2, 28, cudaMemcpyHostToDevice);  // <-- host_short
  std::free(block);
  cudaFree(numbers);
  std::printf("%d %d\n", enough[15], enough[31]);
}
// output:
// 15 15
