// verdict: wrong_result
// class: swapped index
// defect: wrong_result.value
// The tile of B is read as if it were transposed: A times the transpose of B, tile by tile.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    tile_a[y][x] = row < n && k0 + x < m ? a[row * m + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < m && col < p ? b[(k0 + y) * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[x][k];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
