// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

// element (r, q) of a matrix with h rows and w columns, 0 outside
__device__ float at(const float* matrix, int r, int q, int h, int w) {
  return r < h && q < w ? matrix[r * w + q] : 0;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int r = blockIdx.y * kTile + y;
  const int q = blockIdx.x * kTile + x;
  float total = 0;
  for (int step = 0; step < m; step += kTile) {
    left[y][x] = at(a, r, step + x, n, m);
    right[y][x] = at(b, step + y, q, m, p);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) total += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (r < n && q < p) c[r * p + q] = total;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

// each thread: rows y, y+16, y+32, y+48 and columns x, x+16, ... of the 64 x 64 tile
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[64][16], right[16][64];
  const int x = threadIdx.x, y = threadIdx.y;
  const int r0 = blockIdx.y * 64, q0 = blockIdx.x * 64;
  float total[4][4] = {};
  for (int step = 0; step < m; step += 16) {
    for (int s = 0; s < 4; ++s) {
      left[y + 16 * s][x] = at(a, r0 + y + 16 * s, step + x, n, m);
      right[y][x + 16 * s] = at(b, step + y, q0 + x + 16 * s, m, p);
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int s = 0; s < 4; ++s)
        for (int t = 0; t < 4; ++t) total[s][t] += left[y + 16 * s][k] * right[k][x + 16 * t];
    __syncthreads();
  }
  for (int s = 0; s < 4; ++s)
    for (int t = 0; t < 4; ++t) {
      int r = r0 + y + 16 * s, q = q0 + x + 16 * t;
      if (r < n && q < p) c[r * p + q] = total[s][t];
    }
}
