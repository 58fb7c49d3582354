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
  const int i = threadIdx.y + kTile * blockIdx.y;
  const int j = threadIdx.x + kTile * blockIdx.x;
  __shared__ float x[kTile][kTile];
  __shared__ float y[kTile][kTile];
  float value = 0;

  // prefetch the first elements in registers, so that the next tile is on its way while we multiply
  float nextx = (i < n && threadIdx.x < m) ? a[i * m + threadIdx.x] : 0;
  float nexty = (j < p && threadIdx.y < m) ? b[threadIdx.y * p + j] : 0;

  for (int base = 0; base < m; base += kTile) {
    x[threadIdx.y][threadIdx.x] = nextx;
    y[threadIdx.y][threadIdx.x] = nexty;
    __syncthreads();

    int kx = base + kTile + threadIdx.x;
    int ky = base + kTile + threadIdx.y;
    nextx = (i < n && kx < m) ? a[i * m + kx] : 0;
    nexty = (j < p && ky < m) ? b[ky * p + j] : 0;

    for (int k = 0; k < kTile; ++k) value += x[threadIdx.y][k] * y[k][threadIdx.x];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = value;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
