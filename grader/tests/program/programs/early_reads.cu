// The host reads page-locked memory before the copy to it has ended, and other parts of it, which it may.
#include <cstdio>

__global__ void number(int* numbers, int count, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = i * by;
}

int main() {
  const int count = 1 << 16, half = count / 2;
  int *numbers, *host;
  cudaMalloc(&numbers, count * sizeof(int));
  cudaMallocHost(&host, count * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  number<<<count / 256, 256, 0, stream>>>(numbers, count, 1);
  cudaMemcpyAsync(host, numbers, half * sizeof(int), cudaMemcpyDeviceToHost, stream);
  host[half] = 7;
  int sum = host[half + 1];
  cudaStreamSynchronize(stream);
  sum += host[3];
  cudaMemcpyAsync(host, numbers, half * sizeof(int), cudaMemcpyDeviceToHost, stream);
  sum += host[5];  // <-- early_read
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaMemcpyAsync(host, numbers, half * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(done, stream);
  cudaEventSynchronize(done);
  sum += host[half];
  std::printf("%d\n", sum);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(numbers);
}
// output:
// 15
