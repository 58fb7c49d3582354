// One kernel template for several types, operations and block sizes.
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    if (const auto e = (call); e != cudaSuccess) {                             \
      std::cerr << "line " << __LINE__ << ": " << cudaGetErrorName(e) << '\n'; \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

struct Plus {
  template <typename T>
  static constexpr T identity = T(0);
  template <typename T>
  __host__ __device__ static T apply(T a, T b) {
    return a + b;
  }
};

struct Minimum {
  template <typename T>
  static constexpr T identity = std::numeric_limits<T>::max();
  template <typename T>
  __host__ __device__ static T apply(T a, T b) {
    return b < a ? b : a;
  }
};

template <typename Op, typename T, unsigned kThreads>
__global__ void reduce_rows(const T* matrix, T* result, unsigned columns, T identity) {
  __shared__ T shared[kThreads];
  const T* row = matrix + blockIdx.x * columns;
  T value = identity;
  for (unsigned i = threadIdx.x; i < columns; i += kThreads) value = Op::apply(value, row[i]);
  shared[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      shared[threadIdx.x] = Op::apply(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) result[blockIdx.x] = shared[0];
}

template <typename Op, typename T, unsigned kThreads>
bool test(const char* name) {
  const unsigned rows = 10, columns = 321;
  std::vector<T> matrix(rows * columns), result(rows), expected(rows, Op::template identity<T>);
  for (size_t i = 0; i < matrix.size(); ++i) matrix[i] = T(i * 31 % 113) - T(7);
  for (size_t i = 0; i < matrix.size(); ++i) {
    expected[i / columns] = Op::apply(expected[i / columns], matrix[i]);
  }

  T *d_matrix, *d_result;
  CHECK(cudaMalloc(&d_matrix, matrix.size() * sizeof(T)));
  CHECK(cudaMalloc(&d_result, rows * sizeof(T)));
  CHECK(cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(T), cudaMemcpyHostToDevice));
  const T identity = Op::template identity<T>;
  reduce_rows<Op, T, kThreads><<<rows, kThreads>>>(d_matrix, d_result, columns, identity);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), d_result, rows * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_matrix));
  CHECK(cudaFree(d_result));

  std::cout << name << ", " << kThreads << " threads: " << result[0] << ' ' << result[9] << '\n';
  return result == expected;
}

int main() {
  bool ok = test<Plus, int, 32>("sum of int");
  ok &= test<Plus, float, 64>("sum of float");
  ok &= test<Plus, double, 128>("sum of double");
  ok &= test<Plus, unsigned long long, 256>("sum of unsigned long long");
  ok &= test<Minimum, short, 64>("minimum of short");
  ok &= test<Minimum, float, 256>("minimum of float");
  std::cout << (ok ? "PASS" : "FAIL") << '\n';
  return ok ? 0 : 1;
}

// output:
// sum of int, 32 threads: 15710 15706
// sum of float, 64 threads: 15710 15706
// sum of double, 128 threads: 15710 15706
// sum of unsigned long long, 256 threads: 15710 15706
// minimum of short, 64 threads: -7 -7
// minimum of float, 256 threads: -7 -7
// PASS
