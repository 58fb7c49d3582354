constexpr int kTile = 32;

// element (row, col) of a rows x cols matrix, or 0 when there is no such element
__device__ float get(const float* x, int row, int col, int rows, int cols) {
  return row < rows && col < cols ? x[row * cols + col] : 0.0f;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * kTile + y, j = blockIdx.x * kTile + x;
  const int steps = (m + kTile - 1) / kTile;
  float s = 0.0f;
  for (int t = 0; t < steps; t++) {
    ta[y][x] = get(a, i, t * kTile + x, n, m);
    tb[y][x] = get(b, t * kTile + y, j, m, p);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; k++) s += ta[y][k] * tb[k][x];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = s;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

// 4 x 4 elements per thread, 16 apart, and 16 k's per step
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[64][16], tb[16][64];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float s[4][4] = {};
  for (int k0 = 0; k0 < m; k0 += 16) {
#pragma unroll
    for (int q = 0; q < 4; q++) {
      ta[y + 16 * q][x] = get(a, row0 + y + 16 * q, k0 + x, n, m);
      tb[y][x + 16 * q] = get(b, k0 + y, col0 + x + 16 * q, m, p);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float u[4], v[4];
#pragma unroll
      for (int q = 0; q < 4; q++) {
        u[q] = ta[y + 16 * q][k];
        v[q] = tb[k][x + 16 * q];
      }
#pragma unroll
      for (int f = 0; f < 4; f++)
#pragma unroll
        for (int g = 0; g < 4; g++) s[f][g] += u[f] * v[g];
    }
    __syncthreads();
  }
#pragma unroll
  for (int f = 0; f < 4; f++)
#pragma unroll
    for (int g = 0; g < 4; g++) {
      const int i = row0 + y + 16 * f, j = col0 + x + 16 * g;
      if (i < n && j < p) c[i * p + j] = s[f][g];
    }
}
