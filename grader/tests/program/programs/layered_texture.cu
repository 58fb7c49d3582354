// refused: cudaMalloc3DArray() with cudaArrayLayered
// An array of layers, which the simulator lacks.
#include <cstdio>

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  const cudaError_t error =
      cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 4), cudaArrayLayered);
  printf("%s\n", cudaGetErrorString(error));
  if (error != cudaSuccess) return 1;
  return cudaFreeArray(array) != cudaSuccess;
}

// output:
// no error
