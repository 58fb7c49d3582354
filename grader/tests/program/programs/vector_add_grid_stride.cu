// Adds two vectors with a grid-stride loop: the grid is smaller than the data.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                   \
  do {                                                                                     \
    cudaError_t status = (call);                                                           \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

__global__ void add(const float* __restrict__ a, const float* __restrict__ b,
                    float* __restrict__ sum, int count) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum[i] = a[i] + b[i];
  }
}

int main() {
  constexpr int kCount = 50001;  // not a multiple of the grid
  constexpr int kBlock = 256;
  constexpr int kGrid = 32;
  const size_t bytes = kCount * sizeof(float);

  std::vector<float> a(kCount), b(kCount), sum(kCount, -1.0f);
  for (int i = 0; i < kCount; ++i) {
    a[i] = 0.5f * i;
    b[i] = 1.0f - 0.25f * i;
  }

  float *device_a, *device_b, *device_sum;
  CUDA_CHECK(cudaMalloc(&device_a, bytes));
  CUDA_CHECK(cudaMalloc(&device_b, bytes));
  CUDA_CHECK(cudaMalloc(&device_sum, bytes));
  CUDA_CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  add<<<kGrid, kBlock>>>(device_a, device_b, device_sum, kCount);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += sum[i] != a[i] + b[i];

  CUDA_CHECK(cudaFree(device_a));
  CUDA_CHECK(cudaFree(device_b));
  CUDA_CHECK(cudaFree(device_sum));

  std::printf("elements: %d, threads: %d\n", kCount, kGrid * kBlock);
  std::printf("first: %.2f, last: %.2f\n", sum.front(), sum.back());
  std::printf("wrong: %d\n", wrong);
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}

// output:
// elements: 50001, threads: 8192
// first: 1.00, last: 12501.00
// wrong: 0
// PASS
