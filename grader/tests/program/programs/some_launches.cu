// Only one launch is looked at; what the others write is written.
// options: --launches 2
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

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int* numbers, int* doubled) {
  doubled[threadIdx.x] = 2 * numbers[threadIdx.x];
}

int main() {
  int *numbers, *doubled, host[64];
  CHECK(cudaMalloc(&numbers, sizeof host));
  CHECK(cudaMalloc(&doubled, sizeof host));
  fill<<<1, 64>>>(numbers);
  twice<<<1, 64>>>(numbers, doubled);
  CHECK(cudaMemcpy(host, doubled, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[63]);
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(doubled));
}

// output:
// 126
