// Streams and events that were destroyed, or never created.
#include <cstdio>

__global__ void store(int* number, int value) { *number = value; }

int main() {
  int *number, *host;
  cudaMalloc(&number, sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  store<<<1, 1, 0, stream>>>(number, 1);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaStreamCreate(&other);
  store<<<1, 1, 0, stream>>>(number, 2);                                       // <-- destroyed
  cudaMemcpyAsync(host, number, sizeof(int), cudaMemcpyDeviceToHost, stream);  // <-- destroyed
  store<<<1, 1, 0, reinterpret_cast<cudaStream_t>(&host)>>>(number, 3);        // <-- not_created
  cudaMemcpyAsync(host, number, sizeof(int), cudaMemcpyDeviceToHost, other);
  cudaStreamSynchronize(other);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  cudaEventDestroy(begin);
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, begin, end);  // <-- destroyed
  std::printf("%d %g\n", *host, milliseconds);
  cudaEventDestroy(end);
  cudaStreamDestroy(other);
  cudaFree(number);
  cudaFreeHost(host);
}
// output:
// 1 -1
