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

__device__ void fetch(float (*dst)[kTile], const float* from, int y, int x, int h, int w) {
  const int ty = threadIdx.y;
  const int tx = threadIdx.x;
  const int gx = tx + x;
  const int gy = ty + y;
  dst[ty][tx] = (gx >= w || gy >= h) ? 0 : from[gx + w * gy];
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float P[kTile][kTile];
  __shared__ float Q[kTile][kTile];
  const int left = kTile * blockIdx.x;
  const int top = kTile * blockIdx.y;
  const int tx = threadIdx.x, ty = threadIdx.y;

  float acc = 0;
  int k = 0;
  while (k < m) {
    fetch(Q, b, k, left, m, p);
    fetch(P, a, top, k, n, m);
    __syncthreads();
    // dot product of the row with the column
    float partial = 0;
    int e = 0;
    do {
      partial = Q[e][tx] * P[ty][e] + partial;
    } while (++e < kTile);
    acc += partial;
    __syncthreads();
    k += kTile;
  }

  const int x = tx + left, y = ty + top;
  if (x >= p || y >= n) return;
  c[x + p * y] = acc;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
