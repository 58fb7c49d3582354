// Two pairs of tiles, used alternately: while one is multiplied the next is filled, so one barrier
// per step is enough. A warp that is a step ahead writes to the pair that no thread reads any more.
// Without the bonus kernel, which is optional.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tiles_a[2][kTile][kTile];
  __shared__ float tiles_b[2][kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    float(*tile_a)[kTile] = tiles_a[k0 / kTile % 2];
    float(*tile_b)[kTile] = tiles_b[k0 / kTile % 2];
    tile_a[y][x] = row < n && k0 + x < m ? a[row * m + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < m && col < p ? b[(k0 + y) * p + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
