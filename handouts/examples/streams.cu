// Copies and kernels in two streams: while one part is computed, the next one is on its way to the device.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = (call);                                    \
    if (error != cudaSuccess) {                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}

int main() {
  const int parts = 4, n = 1 << 18;  // numbers in each part
  const std::size_t bytes = n * sizeof(float);
  float* host = nullptr;
  CHECK(cudaMallocHost(&host, parts * bytes));  // page-locked: malloc() would make the copies wait
  for (int i = 0; i < parts * n; ++i) host[i] = static_cast<float>(i % 100);

  cudaStream_t streams[2];
  float* device[2];  // one array for each stream, used by every second part
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaStreamCreate(&streams[s]));
    CHECK(cudaMalloc(&device[s], bytes));
  }
  for (int part = 0; part < parts; ++part) {
    const int s = part % 2;
    float* const here = host + part * n;
    CHECK(cudaMemcpyAsync(device[s], here, bytes, cudaMemcpyHostToDevice, streams[s]));
    square<<<(n + 255) / 256, 256, 0, streams[s]>>>(device[s], n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(here, device[s], bytes, cudaMemcpyDeviceToHost, streams[s]));
  }
  for (int s = 0; s < 2; ++s) CHECK(cudaStreamSynchronize(streams[s]));  // before the host looks

  int wrong = 0;
  for (int i = 0; i < parts * n; ++i) wrong += host[i] != static_cast<float>(i % 100 * (i % 100));
  std::printf("%d of %d wrong\n", wrong, parts * n);
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaFree(device[s]));
    CHECK(cudaStreamDestroy(streams[s]));
  }
  CHECK(cudaFreeHost(host));
  return wrong != 0;
}
