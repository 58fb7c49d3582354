// verdict: wrong_result
// defect: wrong_result.row_ends
// says: by the four numbers of your launch shape
// never: How often does your loop
// The bonus kernel's tile has 64 rows of 32 columns by its shape, but its blocks are 32 rows and 64 columns apart.
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

__constant__ int matmul_registers_shape[4] = {16, 16, 32, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[64][17];
  __shared__ float tile_b[16][65];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int row0 = blockIdx.y * 32, col0 = blockIdx.x * 64;
  float sum[4][2] = {};
  for (int k0 = 0; k0 < m; k0 += 16) {
    for (int e = t; e < 64 * 16; e += 256) {
      const int r = e / 16, k = e % 16;
      tile_a[r][k] = row0 + r < n && k0 + k < m ? a[(row0 + r) * m + k0 + k] : 0.0f;
    }
    for (int e = t; e < 16 * 32; e += 256) {
      const int k = e / 32, j = e % 32;
      tile_b[k][j] = k0 + k < m && col0 + j < p ? b[(k0 + k) * p + col0 + j] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) sum[i][j] += tile_a[ty + 16 * i][k] * tile_b[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j) {
      const int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
      if (row < n && col < p) c[row * p + col] = sum[i][j];  // <--
    }
}
