// verdict: race
// defect: race.rows_overlap
// says: Before line {1}, test the column by itself
// The bonus kernel's store checks only whether its flat index is within C.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    tile_a[ty][tx] = row < n && k0 + tx < m ? a[row * m + k0 + tx] : 0.0f;
    tile_b[ty][tx] = k0 + ty < m && col < p ? b[(k0 + ty) * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[64][17];
  __shared__ float tile_b[16][65];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < m; k0 += 16) {
    for (int e = t; e < 64 * 16; e += 256) {
      const int r = e / 16, k = e % 16;
      tile_a[r][k] = row0 + r < n && k0 + k < m ? a[(row0 + r) * m + k0 + k] : 0.0f;
    }
    for (int e = t; e < 16 * 64; e += 256) {
      const int k = e / 64, j = e % 64;
      tile_b[k][j] = k0 + k < m && col0 + j < p ? b[(k0 + k) * p + col0 + j] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] += tile_a[ty + 16 * i][k] * tile_b[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int at = (row0 + ty + 16 * i) * p + col0 + tx + 16 * j;
      if (at < n * p) c[at] = sum[i][j];  // <--
    }
}
