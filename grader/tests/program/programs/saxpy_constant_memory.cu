// y = alpha * x + y, the coefficients of several passes in constant memory.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CU(x)                                                       \
  do {                                                              \
    cudaError_t const r = (x);                                      \
    if (r != cudaSuccess) {                                         \
      printf("CUDA error %d at line %d\nFAIL\n", int(r), __LINE__); \
      exit(1);                                                      \
    }                                                               \
  } while (false)

namespace {

constexpr int kPasses = 4;
__constant__ float c_alpha[kPasses];
__constant__ int c_length;

__global__ void saxpy(float const* x, float* y, int pass) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c_length) return;
  y[i] = fmaf(c_alpha[pass], x[i], y[i]);
}

}  // namespace

int main() {
  int const length = 12345;
  float const alpha[kPasses] = {2.0f, -0.5f, 0.1f, 7.0f};

  std::vector<float> x(length), y(length), expected(length);
  for (int i = 0; i < length; ++i) {
    x[i] = std::sqrt(float(i));
    y[i] = expected[i] = float(length - i);
  }
  for (float const factor : alpha) {
    for (int i = 0; i < length; ++i) expected[i] = std::fma(factor, x[i], expected[i]);
  }

  CU(cudaMemcpyToSymbol(c_alpha, alpha, sizeof alpha));
  CU(cudaMemcpyToSymbol(c_length, &length, sizeof length));

  float *dx = nullptr, *dy = nullptr;
  size_t const bytes = sizeof(float) * length;
  CU(cudaMalloc(&dx, bytes));
  CU(cudaMalloc(&dy, bytes));
  CU(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
  CU(cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice));

  dim3 const block(256);
  dim3 const grid((length + block.x - 1) / block.x);
  for (int pass = 0; pass < kPasses; ++pass) {
    saxpy<<<grid, block>>>(dx, dy, pass);
    CU(cudaPeekAtLastError());
  }
  CU(cudaMemcpy(y.data(), dy, bytes, cudaMemcpyDeviceToHost));
  CU(cudaFree(dx));
  CU(cudaFree(dy));

  // A fused multiply-add rounds once on both sides, so the results are equal.
  bool const same = y == expected;
  printf("passes: %d\n", kPasses);
  printf("y[0] = %.1f\n", y[0]);
  printf("y[100] = %.1f\n", y[100]);
  puts(same ? "PASS" : "FAIL");
  return same ? 0 : 1;
}

// output:
// passes: 4
// y[0] = 12345.0
// y[100] = 12331.0
// PASS
