// The tiled kernel, and a bonus kernel whose reads of shared memory and stores are 16 bytes wide.
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

// A thread's elements of C lie side by side, so that one 16-byte access fetches four operands from
// shared memory. 16-byte stores need a `p` that is a multiple of 4; otherwise the elements are
// stored one by one.
__global__ void matmul_registers(const float* __restrict__ a, const float* __restrict__ b,
                                 float* __restrict__ c, int n, int m, int p) {
  __shared__ __align__(
      16) float tile_a[kDepth][kTileRows + 4];  // turned: a column of A is a row of the tile
  __shared__ __align__(16) float tile_b[kDepth][kTileCols];
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
      const float4 a4 = *reinterpret_cast<const float4*>(&tile_a[k][y * kRows]);
      const float4 b4 = *reinterpret_cast<const float4*>(&tile_b[k][x * kCols]);
      const float left[kRows] = {a4.x, a4.y, a4.z, a4.w};
      const float right[kCols] = {b4.x, b4.y, b4.z, b4.w};
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kCols; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  const int col = first_col + x * kCols;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int r = first_row + y * kRows + i;
    if (r >= n) continue;
    if (p % 4 == 0 && col + kCols <= p) {
      *reinterpret_cast<float4*>(&c[r * p + col]) =
          make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    } else {
#pragma unroll
      for (int j = 0; j < kCols; ++j) {
        if (col + j < p) c[r * p + col + j] = sum[i][j];
      }
    }
  }
}
