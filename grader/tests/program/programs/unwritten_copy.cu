// Memory that nobody has written is copied to the host: all of it, a part, and by way of another array.
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

__global__ void fill(int* numbers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = i;
}

int main() {
  const int count = 1000, block = 256;
  const cudaMemcpyKind to_host = cudaMemcpyDeviceToHost;
  int *numbers, *others, *host = new int[count];
  const size_t bytes = count * sizeof(int);
  CHECK(cudaMalloc(&numbers, bytes));
  CHECK(cudaMalloc(&others, bytes));
  CHECK(cudaMemcpy(host, others, bytes, cudaMemcpyDeviceToHost));   // <-- unwritten_copy
  fill<<<count / block, block>>>(numbers, count);                   // one block is missing
  CHECK(cudaMemcpy(host, numbers, bytes, cudaMemcpyDeviceToHost));  // <-- unwritten_copy
  CHECK(cudaMemcpy(host, numbers, 3 * block * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(others, numbers, bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2D(host, 8, others + 766, 8, 8, 2, to_host));  // <-- unwritten_copy
  CHECK(cudaMemcpy(host, others, 3 * block * sizeof(int), cudaMemcpyDeviceToHost));
  fill<<<(count + block - 1) / block, block>>>(others, count);
  CHECK(cudaMemcpy(host, others, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(numbers, others, bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(host, numbers, bytes, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[count - 1]);
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(others));
}

// output:
// 999
