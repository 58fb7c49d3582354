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
  // [0] is for A, [1] is for B
  __shared__ float tiles[2][kTile][kTile];
  int col = threadIdx.x + blockIdx.x * blockDim.x;
  int row = threadIdx.y + blockIdx.y * blockDim.y;
  bool inside = col < p && row < n;
  float answer = 0.0;

  for (int k = threadIdx.x, l = threadIdx.y; k - (int)threadIdx.x < m; k += kTile, l += kTile) {
    float fromA = 0.0, fromB = 0.0;
    if (row < n) {
      if (k < m) fromA = a[row * m + k];
    }
    if (col < p) {
      if (l < m) fromB = b[l * p + col];
    }
    __syncthreads();  // the others may still be multiplying
    tiles[0][threadIdx.y][threadIdx.x] = fromA;
    tiles[1][threadIdx.y][threadIdx.x] = fromB;
    __syncthreads();  // tiles are full
    for (int q = 0; q < kTile; q++)
      answer += tiles[0][threadIdx.y][q] * tiles[1][q][threadIdx.x];
  }
  if (inside) c[row * p + col] = answer;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
