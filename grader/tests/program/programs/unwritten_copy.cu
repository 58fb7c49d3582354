// Memory that nobody has written is copied to the host: all of it, a part, and by way of another array. What a kernel writes is used
// before it has ended: by a copy in another stream, and by the host.
#include <sys/mman.h>

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
  fill<<<count / block, block>>>(numbers, count);                   // <-- unwritten_copy
  CHECK(cudaMemcpy(host, numbers, bytes, cudaMemcpyDeviceToHost));  // <-- unwritten_copy
  CHECK(cudaMemcpy(host, numbers, 3 * block * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(others, numbers, bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2D(host, 8, others + 766, 8, 8, 2, to_host));  // <-- unwritten_copy
  CHECK(cudaMemcpy(host, others, 3 * block * sizeof(int), cudaMemcpyDeviceToHost));
  fill<<<(count + block - 1) / block, block>>>(others, count);
  CHECK(cudaMemcpy(host, others, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(numbers, others, bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(host, numbers, sizeof(host), to_host));  // <-- pointer_size
  CHECK(cudaMemcpy(host, numbers, bytes, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[count - 1]);
  cudaStream_t one, other;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaMemset(numbers, 0, bytes));
  fill<<<2, block, 0, one>>>(numbers, 2 * block);                  // <-- unordered_copy
  CHECK(cudaMemcpyAsync(host, numbers + 600, 4, to_host, other));  // other bytes
  CHECK(cudaMemcpyAsync(host, numbers, 4, to_host, one));          // the same stream
  CHECK(cudaMemcpyAsync(host, numbers + 100, 4, to_host, other));  // <-- unordered_copy
  CHECK(cudaStreamSynchronize(one));
  CHECK(cudaMemcpyAsync(host, numbers, 4, to_host, other));
  CHECK(cudaMemcpy(others, numbers, bytes, cudaMemcpyDeviceToDevice));
  int* managed;
  CHECK(cudaMallocManaged(&managed, bytes));
  managed[0] = 1;
  fill<<<2, block>>>(managed, 2 * block);  // <-- early_access
  managed[1] += 1;                         // <-- early_access
  managed[2] += 1;
  fill<<<4, block>>>(managed, count);
  CHECK(cudaDeviceSynchronize());
  std::printf("%d\n", managed[count - 1]);
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaFree(managed));
  // the last page that there is on the host: the copy ends the program
  char* pages = static_cast<char*>(
      mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + 4096, 4096, PROT_NONE);
  std::fflush(stdout);
  CHECK(cudaMemcpy(pages + 4000, numbers, bytes, to_host));  // <-- bad_copy
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(others));
}

// output:
// 999
// 999
