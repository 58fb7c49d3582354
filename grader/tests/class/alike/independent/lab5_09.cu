// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float aTile[kTile][kTile];
  __shared__ float bTile[kTile][kTile];

  const auto rowInTile = threadIdx.y;
  const auto colInTile = threadIdx.x;
  const int cRow = blockIdx.y * kTile + rowInTile;
  const int cCol = blockIdx.x * kTile + colInTile;

  // Clamp the addresses: then the load is always legal and only its value is replaced.
  const int safeRow = cRow < n ? cRow : n - 1;
  const int safeCol = cCol < p ? cCol : p - 1;

  float dotProduct = 0.0f;
  for (int first = 0; first < m; first += kTile) {
    const int aCol = min(first + (int)colInTile, m - 1);
    const int bRow = min(first + (int)rowInTile, m - 1);
    float fromA = a[safeRow * m + aCol];
    float fromB = b[bRow * p + safeCol];
    if (first + colInTile >= m) fromA = 0.0f;
    if (first + rowInTile >= m) fromB = 0.0f;
    aTile[rowInTile][colInTile] = fromA;
    bTile[rowInTile][colInTile] = fromB;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      dotProduct += aTile[rowInTile][k] * bTile[k][colInTile];
    }
    __syncthreads();
  }

  // Clamped threads have computed a neighbour's sum; they do not store it.
  if (cRow < n && cCol < p) {
    c[cRow * p + cCol] = dotProduct;
  }
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
