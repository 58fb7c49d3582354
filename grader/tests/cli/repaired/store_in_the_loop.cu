// lab: lab5
// change:
// change:
// change:
// change: } if (row < n && col < p) { c[row * p + col] = sum; }
// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

// Predict first (no points), a number in place of each 0.
// For n = 1024, m = 128 and p = 1024:
enum {
  kLoadSectors = 0,     // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 0,  // how many do all of them move?
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO: walk along the rows of A and down the columns of B a tile at a time. At each step:
  //   load a 32 x 32 tile of A and one of B into shared memory (0 outside the matrices),
  //   __syncthreads(), add the product of the two tiles, __syncthreads().
  // TODO: store the sum, if this thread's element of C exists.
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y;
  int col = blockIdx.x * kTile + threadIdx.x;
  int tiles = (m + kTile - 1) / kTile;
  float sum = 0.0f;
  for (int t = 0; t < tiles; t++) {
    int ka = t * kTile + threadIdx.x;
    int kb = t * kTile + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = (row < n && ka < m) ? a[row * m + ka] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = (kb < m && col < p) ? b[kb * p + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; k++) {
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    }
    __syncthreads();
    if (row < n && col < p) {
      c[row * p + col] = sum;
    }
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
