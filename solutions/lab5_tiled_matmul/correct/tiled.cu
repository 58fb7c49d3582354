// Each element of A and of B that a block needs is fetched once for the 32 threads that use it. The
// two barriers separate the steps: no thread multiplies before the tiles are full, and none refills
// them before all have multiplied. The bonus kernel reuses from registers what the tiled kernel
// reads repeatedly from shared memory.
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
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

constexpr int kBlockX = 16;
constexpr int kBlockY = 16;
constexpr int kRows = 4;  // of C a thread
constexpr int kCols = 4;
constexpr int kTileRows = kBlockY * kRows;
constexpr int kTileCols = kBlockX * kCols;
constexpr int kDepth = 16;
__constant__ int matmul_registers_shape[4] = {kBlockX, kBlockY, kTileCols, kTileRows};

// Each value that is read from shared memory is used 4 times out of a register. A thread's elements
// of C are a block's width apart, so that the threads of a warp store neighbouring floats and read
// neighbouring banks.
__global__ void matmul_registers(const float* __restrict__ a, const float* __restrict__ b,
                                 float* __restrict__ c, int n, int m, int p) {
  __shared__ float tile_a[kDepth][kTileRows + 1];  // turned: a column of A is a row of the tile
  __shared__ float tile_b[kDepth][kTileCols];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int thread = y * kBlockX + x;
  const int first_row = blockIdx.y * kTileRows;
  const int first_col = blockIdx.x * kTileCols;
  float sum[kRows][kCols] = {};
  for (int k0 = 0; k0 < m; k0 += kDepth) {
#pragma unroll
    for (int e = thread; e < kTileRows * kDepth; e += kBlockX * kBlockY) {
      const int r = first_row + e / kDepth;
      const int k = k0 + e % kDepth;
      tile_a[e % kDepth][e / kDepth] = r < n && k < m ? a[r * m + k] : 0.0f;
    }
#pragma unroll
    for (int e = thread; e < kTileCols * kDepth; e += kBlockX * kBlockY) {
      const int k = k0 + e / kTileCols;
      const int col = first_col + e % kTileCols;
      tile_b[e / kTileCols][e % kTileCols] = k < m && col < p ? b[k * p + col] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float left[kRows], right[kCols];
#pragma unroll
      for (int i = 0; i < kRows; ++i) left[i] = tile_a[k][y + i * kBlockY];
#pragma unroll
      for (int j = 0; j < kCols; ++j) right[j] = tile_b[k][x + j * kBlockX];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kCols; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kCols; ++j) {
      const int r = first_row + y + i * kBlockY;
      const int col = first_col + x + j * kBlockX;
      if (r < n && col < p) c[r * p + col] = sum[i][j];
    }
  }
}
