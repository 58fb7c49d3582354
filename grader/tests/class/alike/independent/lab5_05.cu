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
  // Walking along A and B
  __shared__ float tiles[2][kTile][kTile];
  auto& ta = tiles[0];
  auto& tb = tiles[1];
  unsigned ty = threadIdx.y, tx = threadIdx.x;
  int crow = kTile * blockIdx.y + ty, ccol = kTile * blockIdx.x + tx;

  float result = 0;
  int t = 0;
  while (t < m) {
    float va = 0, vb = 0;
    if (crow < n) {
      int acol = t + tx;
      if (acol < m) va = a[crow * m + acol];
    }
    if (ccol < p) {
      int brow = t + ty;
      if (brow < m) vb = b[brow * p + ccol];
    }
    ta[ty][tx] = va;
    tb[ty][tx] = vb;

    __syncthreads();  // tiles are full
    float part = 0;
#pragma unroll
    for (int k = 0; k < 32; ++k) part += ta[ty][k] * tb[k][tx];
    result += part;
    __syncthreads();  // tiles are used up

    t += kTile;
  }

  // store
  if (crow >= n || ccol >= p) return;
  c[crow * p + ccol] = result;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
