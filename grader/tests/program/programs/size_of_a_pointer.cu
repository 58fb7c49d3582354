// A structure for which the room of a pointer is allocated: one mistake, however many calls and kernels meet it.
#include <cstdio>

struct Vector {
  float* data;
  int count;
};

__global__ void scale(Vector* vector, float by) {
  if (threadIdx.x < vector->count) vector->data[threadIdx.x] *= by;
}

int main() {
  Vector host = {nullptr, 32};
  cudaMalloc(&host.data, 32 * sizeof(float));
  cudaMemset(host.data, 0, 32 * sizeof(float));
  Vector* vector;
  cudaMalloc(&vector, sizeof(Vector*));  // <-- out_of_bounds
  cudaMemcpy(vector, &host, sizeof(Vector), cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(vector, 2);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// output:
// cudaErrorIllegalAddress
