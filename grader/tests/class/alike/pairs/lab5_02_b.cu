// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

// inner product of a row of q with a column of r
__device__ float inner(const float (*r)[kTile], const float (*q)[kTile]) {
  float acc = 0.0f;
  for (int i = 0; i < kTile; ++i) {
    float left = q[threadIdx.y][i];
    float right = r[i][threadIdx.x];
    acc = acc + right * left;
  }
  return acc;
}

// reads an element or gives zero
__device__ float element(int w, int h, int colStart, int rowStart, const float* source) {
  int col = threadIdx.x + colStart;
  int row = threadIdx.y + rowStart;
  return (col < w && row < h) ? source[col + w * row] : 0.0f;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  float acc = 0.0f;
  int colStart = kTile * blockIdx.x;
  int rowStart = kTile * blockIdx.y;
  __shared__ float r[kTile][kTile];
  __shared__ float q[kTile][kTile];
  int pos = 0;
  while (pos < m) {
    r[threadIdx.y][threadIdx.x] = element(p, m, colStart, pos, b);
    q[threadIdx.y][threadIdx.x] = element(m, n, pos, rowStart, a);
    pos += kTile;
    __syncthreads();
    acc = acc + inner(r, q);
    __syncthreads();
  }
  int col = threadIdx.x + colStart;
  int row = threadIdx.y + rowStart;
  if (!(col >= p || row >= n)) c[col + p * row] = acc;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
