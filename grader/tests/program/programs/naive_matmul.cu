// C = A * B for row-major matrices, one thread per element of C.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkCudaErrors(val) checkResult((val), #val, __FILE__, __LINE__)

static void checkResult(cudaError_t result, const char* func, const char* file, int line) {
  if (result != cudaSuccess) {
    fprintf(stderr, "%s:%d code=%d \"%s\"\n", file, line, (int)result, func);
    exit(EXIT_FAILURE);
  }
}

struct Matrix {
  int rows;
  int cols;
  std::vector<float> data;

  Matrix(int rows, int cols) : rows(rows), cols(cols), data(rows * cols) {}
  float& at(int r, int c) { return data[r * cols + c]; }
  float at(int r, int c) const { return data[r * cols + c]; }
  size_t bytes() const { return data.size() * sizeof(float); }
};

__global__ void matMulKernel(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;

  float value = 0.0f;
  for (int k = 0; k < K; ++k) value += A[row * K + k] * B[k * N + col];
  C[row * N + col] = value;
}

int main() {
  const int M = 70, N = 90, K = 50;
  Matrix A(M, K), B(K, N), C(M, N);
  // Small integers, so float sums are exact in any order.
  for (int r = 0; r < M; ++r)
    for (int c = 0; c < K; ++c) A.at(r, c) = float((r + 2 * c) % 7 - 3);
  for (int r = 0; r < K; ++r)
    for (int c = 0; c < N; ++c) B.at(r, c) = float((3 * r + c) % 5 - 2);

  float *dA, *dB, *dC;
  checkCudaErrors(cudaMalloc(&dA, A.bytes()));
  checkCudaErrors(cudaMalloc(&dB, B.bytes()));
  checkCudaErrors(cudaMalloc(&dC, C.bytes()));
  checkCudaErrors(cudaMemcpy(dA, A.data.data(), A.bytes(), cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(dB, B.data.data(), B.bytes(), cudaMemcpyHostToDevice));

  dim3 threads(16, 16);
  dim3 blocks((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
  matMulKernel<<<blocks, threads>>>(dA, dB, dC, M, N, K);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(C.data.data(), dC, C.bytes(), cudaMemcpyDeviceToHost));

  int mismatches = 0;
  for (int r = 0; r < M; ++r) {
    for (int c = 0; c < N; ++c) {
      float expected = 0.0f;
      for (int k = 0; k < K; ++k) expected += A.at(r, k) * B.at(k, c);
      if (C.at(r, c) != expected) ++mismatches;
    }
  }

  checkCudaErrors(cudaFree(dA));
  checkCudaErrors(cudaFree(dB));
  checkCudaErrors(cudaFree(dC));

  printf("%dx%d * %dx%d, grid %ux%u\n", M, K, K, N, blocks.x, blocks.y);
  printf("C[0][0] = %g, C[%d][%d] = %g\n", C.at(0, 0), M - 1, N - 1, C.at(M - 1, N - 1));
  printf("mismatches: %d\n", mismatches);
  printf(mismatches == 0 ? "PASS\n" : "FAIL\n");
  return mismatches == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// output:
// 70x50 * 50x90, grid 6x5
// C[0][0] = 9, C[69][89] = 5
// mismatches: 0
// PASS
