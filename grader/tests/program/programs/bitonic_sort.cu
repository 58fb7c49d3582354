// Bitonic sort of 1,024 keys with values, in shared memory, in one block.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_ERROR(x)                                            \
  do {                                                            \
    if ((x) != cudaSuccess) {                                     \
      fprintf(stderr, "CUDA call failed in line %d\n", __LINE__); \
      return EXIT_FAILURE;                                        \
    }                                                             \
  } while (0)

constexpr unsigned LENGTH = 1024;

template <class T>
__device__ void exchange(T& a, T& b) {
  T t = a;
  a = b;
  b = t;
}

__global__ void bitonicSort(unsigned* keys, unsigned* values) {
  __shared__ unsigned k[LENGTH];
  __shared__ unsigned v[LENGTH];

  for (unsigned i = threadIdx.x; i < LENGTH; i += blockDim.x) {
    k[i] = keys[i];
    v[i] = values[i];
  }

  for (unsigned size = 2; size <= LENGTH; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const unsigned high = low + stride;
      const bool ascending = (low & size) == 0;
      if ((k[low] > k[high]) == ascending) {
        exchange(k[low], k[high]);
        exchange(v[low], v[high]);
      }
    }
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < LENGTH; i += blockDim.x) {
    keys[i] = k[i];
    values[i] = v[i];
  }
}

int main() {
  // 97 has no factor in common with 1,024, so the keys are a permutation.
  std::vector<unsigned> keys(LENGTH), values(LENGTH);
  for (unsigned i = 0; i < LENGTH; ++i) {
    keys[i] = i * 97 % LENGTH;
    values[i] = i;
  }
  const std::vector<unsigned> original = keys;

  unsigned *dKeys, *dValues;
  const size_t bytes = LENGTH * sizeof(unsigned);
  CHECK_ERROR(cudaMalloc(&dKeys, bytes));
  CHECK_ERROR(cudaMalloc(&dValues, bytes));
  CHECK_ERROR(cudaMemcpy(dKeys, keys.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemcpy(dValues, values.data(), bytes, cudaMemcpyHostToDevice));
  bitonicSort<<<1, LENGTH / 2>>>(dKeys, dValues);
  CHECK_ERROR(cudaGetLastError());
  CHECK_ERROR(cudaMemcpy(keys.data(), dKeys, bytes, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaMemcpy(values.data(), dValues, bytes, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaFree(dKeys));
  CHECK_ERROR(cudaFree(dValues));

  std::vector<unsigned> expected = original;
  std::sort(expected.begin(), expected.end());
  bool passed = keys == expected;
  for (unsigned i = 0; i < LENGTH; ++i) {
    passed = passed && values[i] < LENGTH && original[values[i]] == keys[i];
  }

  printf("smallest: %u, largest: %u\n", keys.front(), keys.back());
  printf("key 1 came from place %u\n", values[1]);
  printf(passed ? "PASS\n" : "FAIL\n");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

// output:
// smallest: 0, largest: 1023
// key 1 came from place 929
// PASS
