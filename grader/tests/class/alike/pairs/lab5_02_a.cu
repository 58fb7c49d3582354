// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

// Loads one element of the tile whose corner is at (y0, x0)
__device__ float load(const float* mat, int y0, int x0, int height, int width) {
  int y = y0 + threadIdx.y;
  int x = x0 + threadIdx.x;
  if (y >= height || x >= width) return 0.0f;
  return mat[y * width + x];
}

// One row times one column
__device__ float multiply(const float (*ta)[kTile], const float (*tb)[kTile]) {
  float s = 0.0f;
  for (int k = 0; k < kTile; k++) s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
  return s;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile];
  __shared__ float tb[kTile][kTile];
  int y0 = blockIdx.y * kTile;
  int x0 = blockIdx.x * kTile;
  float s = 0.0f;
  for (int z = 0; z < m; z += kTile) {
    ta[threadIdx.y][threadIdx.x] = load(a, y0, z, n, m);
    tb[threadIdx.y][threadIdx.x] = load(b, z, x0, m, p);
    __syncthreads();
    s += multiply(ta, tb);
    __syncthreads();
  }
  int y = y0 + threadIdx.y;
  int x = x0 + threadIdx.x;
  if (y < n && x < p) c[y * p + x] = s;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
