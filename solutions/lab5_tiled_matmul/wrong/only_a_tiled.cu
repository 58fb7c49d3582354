// verdict: gate load_sectors
// defect: gate.load_sectors
// Only A goes through a tile; B is fetched again by every row of the block.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    tile_a[y][x] = row < n && k0 + x < m ? a[row * m + k0 + x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      if (k0 + k < m && col < p) sum += tile_a[y][k] * b[(k0 + k) * p + col];  // <--
    }
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
