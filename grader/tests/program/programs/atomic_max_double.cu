// Maximum and sum of doubles with a compare-and-swap loop.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vector>

#define CHECK_CUDA_ERROR(val) check((val), #val, __LINE__)

void check(cudaError_t err, const char* func, int line) {
  if (err != cudaSuccess) {
    std::cerr << "CUDA runtime error in line " << line << "\n"
              << cudaGetErrorString(err) << " " << func << std::endl;
    std::exit(EXIT_FAILURE);
  }
}

template <typename Combine>
__device__ double atomic_update(double* address, Combine combine) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    const double updated = combine(__longlong_as_double(assumed));
    old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(updated));
  } while (old != assumed);
  return __longlong_as_double(old);
}

__device__ double atomic_max(double* address, double value) {
  return atomic_update(address, [=](double current) { return fmax(current, value); });
}

__device__ double atomic_multiply(double* address, double factor) {
  return atomic_update(address, [=](double current) { return current * factor; });
}

__global__ void extremes(const double* values, int n, double* largest, double* product) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomic_max(largest, values[i]);
  if (i % 100 == 0) atomic_multiply(product, 2.0);
}

int main() {
  const int n = 4000;
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i) values[i] = std::sin(i * 0.37) * i - 5000.0;  // all negative
  const double expected = *std::max_element(values.begin(), values.end());

  double *d_values, *d_results;
  double results[2] = {-std::numeric_limits<double>::infinity(), 1.0};
  CHECK_CUDA_ERROR(cudaMalloc(&d_values, n * sizeof(double)));
  CHECK_CUDA_ERROR(cudaMalloc(&d_results, sizeof results));
  CHECK_CUDA_ERROR(cudaMemcpy(d_values, values.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  CHECK_CUDA_ERROR(cudaMemcpy(d_results, results, sizeof results, cudaMemcpyHostToDevice));
  extremes<<<(n + 255) / 256, 256>>>(d_values, n, d_results, d_results + 1);
  CHECK_CUDA_ERROR(cudaGetLastError());
  CHECK_CUDA_ERROR(cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost));
  CHECK_CUDA_ERROR(cudaFree(d_values));
  CHECK_CUDA_ERROR(cudaFree(d_results));

  const bool ok = results[0] == expected && results[1] == std::ldexp(1.0, n / 100);
  std::cout << "maximum is negative: " << (results[0] < 0 ? "yes" : "no") << "\n";
  std::cout << "product: " << (long long)results[1] << "\n";
  std::cout << (ok ? "PASS" : "FAIL") << "\n";
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

// output:
// maximum is negative: yes
// product: 1099511627776
// PASS
