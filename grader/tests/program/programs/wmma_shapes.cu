// One warp multiplies matrices of integers with nvcuda::wmma, of every shape and type, in rows and in columns.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#define CHECK(call)                                                         \
  do {                                                                      \
    cudaError_t rc = (call);                                                \
    if (rc != cudaSuccess) {                                                \
      printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(rc)); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

namespace wmma = nvcuda::wmma;
using wmma::col_major;
using wmma::row_major;

__host__ __device__ int element_a(int row, int k) { return (5 * row + 3 * k) % 7 - 3; }
__host__ __device__ int element_b(int k, int column) { return (2 * k + 7 * column) % 9 - 4; }
__host__ __device__ int element_c(int row, int column) { return (row + 2 * column) % 5; }

// What lies in memory where a fragment has elements of type T.
template <typename T>
struct Stored {
  using Type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
  using Type = float;
};

// Thread by thread, where row and column of an element lie in an array of that many rows and columns.
template <typename T, typename F>
__device__ void fill(T* to, int rows, int columns, bool by_rows, const F& element) {
  for (int i = threadIdx.x; i < rows * columns; i += 32) {
    int row = i / columns, column = i % columns;
    to[by_rows ? i : column * rows + row] = T(float(element(row, column)));
  }
}

template <int M, int N, int K, typename T, typename Sum, typename LayoutA, typename LayoutB,
          bool kByRows>
__global__ void multiply(int* result) {
  using Stored = typename Stored<T>::Type;
  __shared__ __align__(32) Stored a[M * K], b[K * N];
  __shared__ __align__(32) Sum c[M * N];
  constexpr bool a_by_rows = std::is_same<LayoutA, row_major>::value,
                 b_by_rows = std::is_same<LayoutB, row_major>::value;
  fill(a, M, K, a_by_rows, element_a);
  fill(b, K, N, b_by_rows, element_b);
  fill(c, M, N, kByRows, element_c);
  __syncthreads();

  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> a_tile;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> b_tile;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  const auto layout = kByRows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(a_tile, a, a_by_rows ? K : M);
  wmma::load_matrix_sync(b_tile, b, b_by_rows ? N : K);
  wmma::load_matrix_sync(sum, c, kByRows ? N : M, layout);
  wmma::mma_sync(sum, a_tile, b_tile, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + sum.x[i];
  __syncthreads();
  wmma::store_matrix_sync(c, sum, kByRows ? N : M, layout);
  __syncthreads();
  for (int i = threadIdx.x; i < M * N; i += 32)
    result[i] = int(float(c[kByRows ? i : i % N * M + i / N]));
}

int all_wrong = 0;

template <int M, int N, int K, typename T, typename Sum, typename LayoutA, typename LayoutB,
          bool kByRows>
void test(const char* name) {
  int *d, result[M * N], wrong = 0;
  CHECK(cudaMalloc(&d, sizeof result));
  multiply<M, N, K, T, Sum, LayoutA, LayoutB, kByRows><<<1, 32>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < N; ++column) {
      int sum = element_c(row, column);
      for (int k = 0; k < K; ++k) sum += element_a(row, k) * element_b(k, column);
      wrong += result[row * N + column] != 2 * sum;
    }
  printf("%s: last element %d, wrong: %d\n", name, result[M * N - 1], wrong);
  all_wrong += wrong;
}

int main() {
  test<16, 16, 16, half, float, row_major, col_major, true>("half 16x16x16, float");
  test<32, 8, 16, half, float, col_major, row_major, false>("half 32x8x16, float");
  test<8, 32, 16, half, float, row_major, row_major, true>("half 8x32x16, float");
  test<16, 16, 16, half, half, col_major, col_major, false>("half 16x16x16, half");
  test<32, 8, 16, half, half, row_major, row_major, true>("half 32x8x16, half");
  test<8, 32, 16, half, half, col_major, row_major, false>("half 8x32x16, half");
  test<16, 16, 16, signed char, int, row_major, col_major, true>("signed char 16x16x16");
  test<32, 8, 16, signed char, int, col_major, row_major, false>("signed char 32x8x16");
  test<8, 32, 16, signed char, int, row_major, row_major, true>("signed char 8x32x16");
  test<16, 16, 8, wmma::precision::tf32, float, row_major, col_major, true>("tf32 16x16x8");
  test<8, 8, 4, double, double, col_major, row_major, false>("double 8x8x4");
  puts(all_wrong == 0 ? "PASS" : "FAIL");
  return all_wrong != 0;
}

// output:
// half 16x16x16, float: last element 10, wrong: 0
// half 32x8x16, float: last element 24, wrong: 0
// half 8x32x16, float: last element -14, wrong: 0
// half 16x16x16, half: last element 10, wrong: 0
// half 32x8x16, half: last element 24, wrong: 0
// half 8x32x16, half: last element -14, wrong: 0
// signed char 16x16x16: last element 10, wrong: 0
// signed char 32x8x16: last element 24, wrong: 0
// signed char 8x32x16: last element -14, wrong: 0
// tf32 16x16x8: last element 10, wrong: 0
// double 8x8x4: last element 32, wrong: 0
// PASS
