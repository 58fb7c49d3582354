// verdict: race
// defect: race.lost_update
// Each thread takes one element of A and adds its products to a whole row of sums: 32 lanes change one sum at the same time.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_b[kTile][kTile];
  __shared__ float sum[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  sum[y][x] = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    const float mine = row < n && k0 + x < m ? a[row * m + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < m && col < p ? b[(k0 + y) * p + col] : 0.0f;
    __syncthreads();
    for (int j = 0; j < kTile; ++j) sum[y][j] += mine * tile_b[x][j];  // <--
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum[y][x];
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
