// A gibibyte of which a kernel writes four bytes, launch after launch: what a launch costs does not depend on what it leaves alone.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

__global__ void set(int* numbers, int to) { *numbers = to; }
__global__ void add(int* numbers) { *numbers += 1; }

int main() {
  int *numbers, result = 0;
  CHECK(cudaMalloc(&numbers, size_t(1) << 30));
  set<<<1, 1>>>(numbers, 5);
  for (int i = 0; i < 20; ++i) add<<<1, 1>>>(numbers);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&result, numbers, sizeof result, cudaMemcpyDeviceToHost));
  std::printf("%d\n", result);
  CHECK(cudaFree(numbers));
}

// output:
// 25
