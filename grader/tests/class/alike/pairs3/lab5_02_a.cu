constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float A[kTile][kTile], B[kTile][kTile];
  const int i = threadIdx.y, j = threadIdx.x;
  const int gi = blockIdx.y * kTile + i, gj = blockIdx.x * kTile + j;

  float cij = 0;
  for (int l = 0; l < m; l += kTile) {
    A[i][j] = gi < n && l + j < m ? a[gi * m + l + j] : 0;
    B[i][j] = l + i < m && gj < p ? b[(l + i) * p + gj] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; k++) cij += A[i][k] * B[k][j];
    __syncthreads();
  }
  if (gi < n && gj < p) c[gi * p + gj] = cij;
}

// C tile: 32 rows x 128 columns. 32 x 8 threads, each with 4 rows (8 apart) and 4 columns (32 apart).
constexpr int kRows = 32;
constexpr int kCols = 128;
__constant__ int matmul_registers_shape[4] = {32, 8, kCols, kRows};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float A[kRows][kTile], B[kTile][kCols];
  const int i = threadIdx.y, j = threadIdx.x;
  const int i0 = blockIdx.y * kRows, j0 = blockIdx.x * kCols;

  float C[4][4] = {};
  for (int l = 0; l < m; l += kTile) {
#pragma unroll
    for (int u = 0; u < 4; u++) {
      const int gi = i0 + i + 8 * u;
      A[i + 8 * u][j] = gi < n && l + j < m ? a[gi * m + l + j] : 0;
    }
#pragma unroll
    for (int u = 0; u < 4; u++) {
#pragma unroll
      for (int v = 0; v < 4; v++) {
        const int gk = l + i + 8 * u, gj = j0 + j + 32 * v;
        B[i + 8 * u][j + 32 * v] = gk < m && gj < p ? b[gk * p + gj] : 0;
      }
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; k++) {
      float x[4], y[4];
#pragma unroll
      for (int u = 0; u < 4; u++) x[u] = A[i + 8 * u][k];
#pragma unroll
      for (int v = 0; v < 4; v++) y[v] = B[k][j + 32 * v];
#pragma unroll
      for (int u = 0; u < 4; u++)
#pragma unroll
        for (int v = 0; v < 4; v++) C[u][v] += x[u] * y[v];
    }
    __syncthreads();
  }

#pragma unroll
  for (int u = 0; u < 4; u++)
#pragma unroll
    for (int v = 0; v < 4; v++) {
      const int gi = i0 + i + 8 * u, gj = j0 + j + 32 * v;
      if (gi < n && gj < p) c[gi * p + gj] = C[u][v];
    }
}
