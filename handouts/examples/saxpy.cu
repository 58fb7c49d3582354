// A whole program: y = a x + y for a million numbers.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = (call);                                    \
    if (error != cudaSuccess) {                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 20;
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> x(n, 1.0f), y(n, 2.0f);

  float *device_x = nullptr, *device_y = nullptr;
  CHECK(cudaMalloc(&device_x, bytes));
  CHECK(cudaMalloc(&device_y, bytes));
  CHECK(cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice));

  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, device_x, device_y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(y.data(), device_y, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (const float value : y) wrong += value != 5.0f;
  std::printf("%d of %d wrong\n", wrong, n);

  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_y));
  return wrong != 0;
}
