// axpy in half precision: half2 arithmetic for pairs, half for the odd element.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHK(e)                                                                       \
  do {                                                                               \
    cudaError_t r = (e);                                                             \
    if (r != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(r)); \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

__global__ void haxpy(int n, half a, const half* x, half* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const half2 a2 = __half2half2(a);
  const half2* x2 = reinterpret_cast<const half2*>(x);
  half2* y2 = reinterpret_cast<half2*>(y);
  if (i < n / 2) y2[i] = __hfma2(a2, x2[i], y2[i]);
  if (i == 0 && n % 2 == 1) y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void largest_pair(const half* y, int pairs, float* largest, float* sum) {
  half2 best = __half2half2(__float2half(-1000.0f));
  float total = 0;
  for (int i = threadIdx.x; i < pairs; i += 32) {
    const half2 pair = reinterpret_cast<const half2*>(y)[i];
    if (__hgt(__hadd(__low2half(pair), __high2half(pair)),
              __hadd(__low2half(best), __high2half(best)))) {
      best = pair;
    }
    const float2 wide = __half22float2(pair);
    total += wide.x + wide.y;
  }
  float mine = __half2float(__hadd(__low2half(best), __high2half(best)));
  for (int delta = 16; delta > 0; delta /= 2) {
    mine = fmaxf(mine, __shfl_xor_sync(0xffffffffu, mine, delta));
    total += __shfl_xor_sync(0xffffffffu, total, delta);
  }
  if (threadIdx.x == 0) {
    *largest = mine;
    *sum = total;
  }
}

int main() {
  const int n = 2001;
  const float a = 1.5f;
  std::vector<half> x(n), y(n);
  std::vector<float> expected(n);
  // Multiples of 1/2 below 1,024 are exact in half.
  for (int i = 0; i < n; ++i) {
    const float xi = float(i % 200 - 100), yi = float(i % 37) * 0.5f;
    x[i] = __float2half(xi);
    y[i] = __float2half(yi);
    expected[i] = a * xi + yi;
  }

  half *dx, *dy;
  float* d_result;
  CHK(cudaMalloc(&dx, n * sizeof(half)));
  CHK(cudaMalloc(&dy, n * sizeof(half)));
  CHK(cudaMalloc(&d_result, 2 * sizeof(float)));
  CHK(cudaMemcpy(dx, x.data(), n * sizeof(half), cudaMemcpyHostToDevice));
  CHK(cudaMemcpy(dy, y.data(), n * sizeof(half), cudaMemcpyHostToDevice));
  haxpy<<<(n / 2 + 127) / 128, 128>>>(n, __float2half(a), dx, dy);
  CHK(cudaGetLastError());
  largest_pair<<<1, 32>>>(dy, n / 2, d_result, d_result + 1);
  CHK(cudaGetLastError());

  float result[2];
  CHK(cudaMemcpy(y.data(), dy, n * sizeof(half), cudaMemcpyDeviceToHost));
  CHK(cudaMemcpy(result, d_result, sizeof result, cudaMemcpyDeviceToHost));
  CHK(cudaFree(dx));
  CHK(cudaFree(dy));
  CHK(cudaFree(d_result));

  float largest = -1000, sum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += __half2float(y[i]) != expected[i];
  for (int i = 0; i + 1 < n; i += 2) {
    largest = std::fmax(largest, expected[i] + expected[i + 1]);
    sum += expected[i] + expected[i + 1];
  }
  std::printf("y[0] = %.1f, y[%d] = %.1f\n", __half2float(y[0]), n - 1, __half2float(y[n - 1]));
  std::printf("largest pair: %.1f, sum: %.1f\n", result[0], result[1]);
  const bool ok = wrong == 0 && result[0] == largest && result[1] == sum;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// y[0] = -150.0, y[2000] = -149.0
// largest pair: 325.0, sum: 16482.5
// PASS
