// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// For n = 1024, m = 128 and p = 1024:
enum {
  kLoadSectors = 4,     // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 1048576,  // how many do all of them move?
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile];
  __shared__ float tb[kTile][kTile];
  const unsigned i = threadIdx.y, j = threadIdx.x;
  const unsigned row = blockIdx.y * 32 + i, col = blockIdx.x * 32 + j;

  float out = 0;
  int left = m;  // how much of the row is still to be done
  int k = 0;
  while (left > 0) {
    const int depth = left < kTile ? left : kTile;
    if (row < n && j < depth) ta[i][j] = a[row * m + k + j];
    if (col < p && i < depth) tb[i][j] = b[(k + i) * p + col];
    __syncthreads();
    // only the part that was loaded, so no zeros are needed
    for (int d = 0; d < depth; ++d) out += ta[i][d] * tb[d][j];
    __syncthreads();
    left -= depth;
    k += depth;
  }
  if (row < n && col < p) c[row * p + col] = out;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
