// Memory that is used after cudaFree(), at last by a kernel, freed twice or not at all, and copies whose direction is wrong. What
// each returns: an H200, CUDA 13.0.
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

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }  // <-- out_of_bounds

static void print(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

int main() {
  int *numbers, *others, host[64] = {};
  CHECK(cudaMalloc(&numbers, sizeof host));
  CHECK(cudaMalloc(&others, sizeof host));
  fill<<<1, 64>>>(numbers);
  CHECK(cudaMemset(others, 0, sizeof host));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(numbers));  // <-- out_of_bounds
  const cudaMemcpyKind to_host = cudaMemcpyDeviceToHost, to_device = cudaMemcpyHostToDevice;
  print("copy of freed memory", cudaMemcpy(host, numbers, 256, to_host));      // <-- freed_use
  print("copy to freed memory", cudaMemcpy(numbers + 3, host, 4, to_device));  // <-- freed_use
  print("memset of freed memory", cudaMemset(numbers, 0, sizeof host));        // <-- freed_use
  print("freed again", cudaFree(numbers));                                     // <-- freed_twice
  print("from the host to the host", cudaMemcpy(host, others, sizeof host, cudaMemcpyHostToHost));
  print("to the wrong side", cudaMemcpy(host, others, 256, to_device));  // <-- direction
  print("memory of the host", cudaFree(host));                           // <-- bad_free
  print("inside an allocation", cudaFree(others + 1));                   // <-- bad_free
  CHECK(cudaFree(others));
  CHECK(cudaFree(nullptr));
  fill<<<1, 64>>>(numbers);
  print("a kernel with freed memory", cudaDeviceSynchronize());
}

// output:
// copy of freed memory: cudaErrorInvalidValue
// copy to freed memory: cudaErrorInvalidValue
// memset of freed memory: cudaErrorInvalidValue
// freed again: cudaErrorInvalidValue
// from the host to the host: cudaSuccess
// to the wrong side: cudaErrorInvalidValue
// memory of the host: cudaErrorInvalidValue
// inside an allocation: cudaErrorInvalidValue
// a kernel with freed memory: cudaErrorIllegalAddress
