// Sparse matrix times vector, CSR format, one warp per row.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CU_SAFE(call)                                                                   \
  {                                                                                     \
    cudaError_t err = call;                                                             \
    if (cudaSuccess != err) {                                                           \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, \
              cudaGetErrorString(err));                                                 \
      exit(EXIT_FAILURE);                                                               \
    }                                                                                   \
  }

struct CsrMatrix {
  int numRows = 0;
  std::vector<int> rowPtrs{0};
  std::vector<int> colIdx;
  std::vector<float> values;

  void endRow() {
    rowPtrs.push_back((int)colIdx.size());
    ++numRows;
  }
};

template <typename T>
T* toDevice(const std::vector<T>& v) {
  T* p = nullptr;
  CU_SAFE(cudaMalloc(&p, v.size() * sizeof(T)));
  CU_SAFE(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

__global__ void spmv_csr_vector(int numRows, const int* rowPtrs, const int* colIdx,
                                const float* values, const float* x, float* y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= numRows) return;  // the whole warp leaves

  float dot = 0.0f;
  for (int i = rowPtrs[row] + lane; i < rowPtrs[row + 1]; i += 32) dot += values[i] * x[colIdx[i]];
  for (int offset = 16; offset > 0; offset >>= 1) dot += __shfl_down_sync(0xffffffff, dot, offset);
  if (lane == 0) y[row] = dot;
}

int main() {
  // Rows of 0 to 80 elements with small integers: sums are exact.
  const int n = 500;
  CsrMatrix m;
  for (int row = 0; row < n; ++row) {
    int length = row % 81;
    for (int k = 0; k < length; ++k) {
      m.colIdx.push_back((row + k * 6) % n);
      m.values.push_back((float)((row + k) % 9 - 4));
    }
    m.endRow();
  }
  std::vector<float> x(n), y(n, -1.0f);
  for (int i = 0; i < n; ++i) x[i] = (float)(i % 20);

  int* d_rowPtrs = toDevice(m.rowPtrs);
  int* d_colIdx = toDevice(m.colIdx);
  float* d_values = toDevice(m.values);
  float* d_x = toDevice(x);
  float* d_y = toDevice(y);

  const int warpsPerBlock = 4;
  spmv_csr_vector<<<(n + warpsPerBlock - 1) / warpsPerBlock, warpsPerBlock * 32>>>(
      m.numRows, d_rowPtrs, d_colIdx, d_values, d_x, d_y);
  CU_SAFE(cudaGetLastError());
  CU_SAFE(cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  CU_SAFE(cudaFree(d_rowPtrs));
  CU_SAFE(cudaFree(d_colIdx));
  CU_SAFE(cudaFree(d_values));
  CU_SAFE(cudaFree(d_x));
  CU_SAFE(cudaFree(d_y));

  int wrongRows = 0;
  for (int row = 0; row < n; ++row) {
    float dot = 0.0f;
    for (int i = m.rowPtrs[row]; i < m.rowPtrs[row + 1]; ++i) dot += m.values[i] * x[m.colIdx[i]];
    if (dot != y[row]) ++wrongRows;
  }
  printf("rows: %d, nonzeros: %zu\n", m.numRows, m.values.size());
  printf("y[0] = %g, y[1] = %g, y[80] = %g\n", y[0], y[1], y[80]);
  printf("wrong rows: %d\n", wrongRows);
  puts(wrongRows ? "FAIL" : "PASS");
  return wrongRows ? EXIT_FAILURE : EXIT_SUCCESS;
}

// output:
// rows: 500, nonzeros: 19531
// y[0] = 0, y[1] = -3, y[80] = 36
// wrong rows: 0
// PASS
