// A block that needs 96 KiB of dynamic shared memory must ask for it first.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CUDA_CALL(x)                                                               \
  do {                                                                             \
    cudaError_t const r = (x);                                                     \
    if (r != cudaSuccess) {                                                        \
      std::printf("%s:%d: %s\nFAIL\n", __FILE__, __LINE__, cudaGetErrorString(r)); \
      return EXIT_FAILURE;                                                         \
    }                                                                              \
  } while (0)

// Reverses count numbers in place through shared memory.
__global__ void reverse(int* data, int count) {
  extern __shared__ int buffer[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) buffer[i] = data[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = buffer[count - 1 - i];
}

int main() {
  int device = 0, limit = 0;
  CUDA_CALL(cudaGetDevice(&device));
  CUDA_CALL(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  constexpr int kBytes = 96 * 1024;
  constexpr int kCount = kBytes / sizeof(int);
  std::printf("96 KiB allowed: %s\n", limit >= kBytes ? "yes" : "no");

  std::vector<int> data(kCount);
  std::iota(data.begin(), data.end(), 0);
  int* d_data = nullptr;
  CUDA_CALL(cudaMalloc(&d_data, kBytes));
  CUDA_CALL(cudaMemcpy(d_data, data.data(), kBytes, cudaMemcpyHostToDevice));

  reverse<<<1, 256, kBytes>>>(d_data, kCount);
  cudaError_t const refused = cudaGetLastError();
  std::printf("without the attribute: %s\n", cudaGetErrorName(refused));

  CUDA_CALL(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  reverse<<<1, 256, kBytes>>>(d_data, kCount);
  cudaError_t const accepted = cudaGetLastError();
  std::printf("with the attribute: %s\n", cudaGetErrorName(accepted));

  CUDA_CALL(cudaMemcpy(data.data(), d_data, kBytes, cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaFree(d_data));

  bool ok = refused == cudaErrorInvalidValue && accepted == cudaSuccess;
  for (int i = 0; i < kCount; ++i) ok = ok && data[i] == kCount - 1 - i;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

// output:
// 96 KiB allowed: yes
// without the attribute: cudaErrorInvalidValue
// with the attribute: cudaSuccess
// PASS
