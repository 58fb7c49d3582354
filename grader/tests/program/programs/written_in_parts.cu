// Arrays that are larger than what is in them: a part is written, by a kernel or by a copy, launches follow that do not know
// them, and then that part is read. Nothing is wrong with that.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

__global__ void fill(float* part, float first) { part[threadIdx.x] = first + threadIdx.x; }
__global__ void elsewhere(int* other) { other[threadIdx.x] = 1; }
__global__ void nothing() {}
__global__ void add_one(float* part) { part[threadIdx.x] += 1; }

int main() {
  const int room = 1024, used = 96;
  float *by_kernel, *by_copy;
  int* other;
  CHECK(cudaMalloc(&by_kernel, room * sizeof(float)));
  CHECK(cudaMalloc(&by_copy, room * sizeof(float)));
  CHECK(cudaMalloc(&other, room * sizeof(int)));

  float numbers[used];
  for (int i = 0; i < used; ++i) numbers[i] = 2 * i;
  fill<<<1, used>>>(by_kernel, 100);
  CHECK(cudaMemcpy(by_copy, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  elsewhere<<<1, 32>>>(other);
  nothing<<<1, 1>>>();
  add_one<<<1, used>>>(by_kernel);
  add_one<<<1, used>>>(by_copy);
  CHECK(cudaMemcpy(by_copy + used, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  nothing<<<1, 1>>>();
  add_one<<<1, used>>>(by_copy + used);
  CHECK(cudaGetLastError());

  float sum = 0;
  CHECK(cudaMemcpy(numbers, by_kernel, sizeof numbers, cudaMemcpyDeviceToHost));
  for (float one : numbers) sum += one;
  std::printf("by a kernel: %g\n", sum);
  sum = 0;
  for (int half = 0; half < 2; ++half) {
    CHECK(cudaMemcpy(numbers, by_copy + half * used, sizeof numbers, cudaMemcpyDeviceToHost));
    for (float one : numbers) sum += one;
  }
  std::printf("by copies: %g\n", sum);
  CHECK(cudaFree(by_kernel));
  CHECK(cudaFree(by_copy));
  CHECK(cudaFree(other));
}

// output:
// by a kernel: 14256
// by copies: 18432
