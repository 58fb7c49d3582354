// Device code guards its inputs with assert. Here every assertion holds.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t result, int line) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(result));
    std::exit(1);
  }
}
#define CHECK(call) check((call), __LINE__)

__device__ int integer_root(int n) {
  assert(n >= 0);
  int root = 0;
  while ((root + 1) * (root + 1) <= n) ++root;
  assert(root * root <= n);
  return root;
}

__global__ void roots(const int* numbers, int* result, int count) {
  assert(blockDim.y == 1 && blockDim.z == 1);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  result[i] = integer_root(numbers[i]);
  assert(result[i] < 100 && "the numbers are below 10,000");
}

int main() {
  const int count = 3000;
  std::vector<int> numbers(count), result(count);
  for (int i = 0; i < count; ++i) numbers[i] = i * 3;

  int *d_numbers, *d_result;
  CHECK(cudaMalloc(&d_numbers, count * sizeof(int)));
  CHECK(cudaMalloc(&d_result, count * sizeof(int)));
  CHECK(cudaMemcpy(d_numbers, numbers.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  roots<<<(count + 95) / 96, 96>>>(d_numbers, d_result, count);
  CHECK(cudaGetLastError());
  const cudaError_t finished = cudaDeviceSynchronize();
  std::printf("kernel: %s\n", cudaGetErrorName(finished));
  CHECK(finished);
  CHECK(cudaMemcpy(result.data(), d_result, count * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_numbers));
  CHECK(cudaFree(d_result));

  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const int r = result[i];
    wrong += !(r * r <= numbers[i] && (r + 1) * (r + 1) > numbers[i]);
  }
  std::printf("root of %d: %d\n", numbers.back(), result.back());
  std::printf("wrong: %d\n", wrong);
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}

// output:
// kernel: cudaSuccess
// root of 8997: 94
// wrong: 0
// PASS
