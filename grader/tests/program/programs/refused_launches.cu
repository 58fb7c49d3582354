// Launches that cannot be. The program looks at each error; the report says why. At last one that is too much for its array, of
// which too few bytes were allocated.
#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }  // <-- out_of_bounds

__global__ void reverse(int* numbers) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = numbers[threadIdx.x];
  __syncthreads();
  numbers[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

static void print(const char* what) {
  std::printf("%s: %s\n", what, cudaGetLastError() == cudaSuccess ? "launched" : "refused");
}

int main() {
  int* numbers;
  if (cudaMalloc(&numbers, 4096) != cudaSuccess) return 1;
  fill<<<1, 2000>>>(numbers);  // <-- refused_launch
  print("a large block");
  fill<<<0, 32>>>(numbers);  // <-- refused_launch
  print("no blocks");
  fill<<<dim3(1, 70000), 32>>>(numbers);  // <-- refused_launch
  print("many rows of blocks");
  fill<<<1, dim3(1, 1, 128)>>>(numbers);  // <-- refused_launch
  print("a deep block");
  fill<<<1, 1024>>>(numbers);
  reverse<<<1, 32, 65536>>>(numbers);  // <-- refused_launch
  print("much shared memory, not asked for");
  reverse<<<1, 32, 300000>>>(numbers);  // <-- refused_launch
  print("more shared memory than there is");
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  reverse<<<1, 32, 65536>>>(numbers);
  print("the same, asked for");
  const int count = 1024;
  int* few;
  cudaMalloc(&few, count);  // <-- out_of_bounds
  fill<<<1, count>>>(few);
  print("an array without sizeof");
  cudaDeviceSynchronize();
  return cudaGetLastError() == cudaSuccess;
}

// output:
// a large block: refused
// no blocks: refused
// many rows of blocks: refused
// a deep block: refused
// much shared memory, not asked for: refused
// more shared memory than there is: refused
// the same, asked for: launched
// an array without sizeof: launched
