// C = A * B on tensor cores: one warp computes a tile of 16 x 16.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define RT(call)                                                        \
  if (auto rc = (call); rc != cudaSuccess) {                            \
    fprintf(stderr, "%s, line %d\n", cudaGetErrorString(rc), __LINE__); \
    exit(1);                                                            \
  }

namespace wmma = nvcuda::wmma;

constexpr int M = 32, N = 48, K = 64;  // multiples of the tile
constexpr int T = 16;

__global__ void matmul(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, T, T, T, half, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, T, T, T, half, wmma::row_major> b_tile;
  wmma::fragment<wmma::accumulator, T, T, T, float> sum;

  const int row = blockIdx.y * T, col = blockIdx.x * T;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < K; k += T) {
    wmma::load_matrix_sync(a_tile, a + row * K + k, K);
    wmma::load_matrix_sync(b_tile, b + k * N + col, N);
    wmma::mma_sync(sum, a_tile, b_tile, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2.0f;  // a scale, in registers
  wmma::store_matrix_sync(c + row * N + col, sum, N, wmma::mem_row_major);
}

int main() {
  // Integers from -8 to 8 are exact in half, and their sums in float.
  std::vector<half> a(M * K), b(K * N);
  std::vector<float> c(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = __float2half(float(i * 5 % 17 - 8));
  for (int i = 0; i < K * N; ++i) b[i] = __float2half(float(i * 3 % 13 - 6));

  half *d_a, *d_b;
  float* d_c;
  RT(cudaMalloc(&d_a, a.size() * sizeof(half)));
  RT(cudaMalloc(&d_b, b.size() * sizeof(half)));
  RT(cudaMalloc(&d_c, c.size() * sizeof(float)));
  RT(cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
  RT(cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
  matmul<<<dim3(N / T, M / T), 32>>>(d_a, d_b, d_c);
  RT(cudaGetLastError());
  RT(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  RT(cudaFree(d_a));
  RT(cudaFree(d_b));
  RT(cudaFree(d_c));

  int wrong = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += __half2float(a[m * K + k]) * __half2float(b[k * N + n]);
      wrong += c[m * N + n] != 2 * sum;
    }
  }
  printf("c[0][0] = %.0f, c[17][31] = %.0f\n", c[0], c[17 * N + 31]);
  printf("wrong: %d\n", wrong);
  puts(wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}

// output:
// c[0][0] = -118, c[17][31] = 208
// wrong: 0
// PASS
