// Picks a launch configuration with the occupancy functions of the runtime.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_RT_CALL(call)                                                                \
  {                                                                                       \
    cudaError_t cudaStatus = call;                                                        \
    if (cudaSuccess != cudaStatus) {                                                      \
      fprintf(stderr, "ERROR: \"%s\" in line %d failed with %s (%d).\n", #call, __LINE__, \
              cudaGetErrorString(cudaStatus), cudaStatus);                                \
      exit(cudaStatus);                                                                   \
    }                                                                                     \
  }

__global__ void square(int* array, int arrayCount) {
  extern __shared__ int unused[];
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < arrayCount) array[idx] *= array[idx];
}

static int blocksPerMultiprocessor(int blockSize, size_t dynamicSMem) {
  int numBlocks = 0;
  CUDA_RT_CALL(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, square, blockSize, dynamicSMem));
  return numBlocks;
}

static bool expect(const char* what, bool holds) {
  printf("%s: %s\n", what, holds ? "yes" : "no");
  return holds;
}

int main() {
  const int count = 10000;
  int device = 0, maxThreads = 0;
  CUDA_RT_CALL(cudaGetDevice(&device));
  CUDA_RT_CALL(cudaDeviceGetAttribute(&maxThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device));

  int minGridSize = 0, blockSize = 0;
  CUDA_RT_CALL(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, square, 0, 0));
  const int active = blocksPerMultiprocessor(blockSize, 0);

  bool ok = expect("block size is whole warps", blockSize > 0 && blockSize % 32 == 0);
  ok &= expect("block size is allowed", blockSize <= 1024);
  ok &= expect("grid covers the device", minGridSize >= active);
  ok &= expect("full occupancy", active * blockSize == maxThreads);
  ok &= expect("small blocks are limited too", blocksPerMultiprocessor(32, 0) * 32 <= maxThreads);
  ok &= expect("shared memory lowers occupancy",
               blocksPerMultiprocessor(64, 40 * 1024) < blocksPerMultiprocessor(64, 1024));

  std::vector<int> array(count);
  for (int i = 0; i < count; i++) array[i] = i;
  int* dArray;
  CUDA_RT_CALL(cudaMalloc(&dArray, count * sizeof(int)));
  CUDA_RT_CALL(cudaMemcpy(dArray, array.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  square<<<(count + blockSize - 1) / blockSize, blockSize>>>(dArray, count);
  CUDA_RT_CALL(cudaGetLastError());
  CUDA_RT_CALL(cudaMemcpy(array.data(), dArray, count * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_RT_CALL(cudaFree(dArray));

  int wrong = 0;
  for (int i = 0; i < count; i++) wrong += array[i] != i * i;
  ok &= expect("squares are right", wrong == 0);
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// block size is whole warps: yes
// block size is allowed: yes
// grid covers the device: yes
// full occupancy: yes
// small blocks are limited too: yes
// shared memory lowers occupancy: yes
// squares are right: yes
// PASS
