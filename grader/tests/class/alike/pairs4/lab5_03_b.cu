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
  const int col = threadIdx.x + (blockIdx.x << 5);
  const int row = threadIdx.y + (blockIdx.y << 5);
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];

  float s = 0;
  const int stepB = p * kTile;
  const float* pb = &b[col + threadIdx.y * p];
  const float* pa = &a[threadIdx.x + row * m];

  int todoB = m - threadIdx.y;
  int todoA = m - threadIdx.x;
  int k = 0;
  while (k < m) {
    float vb = 0, va = 0;
    if (todoB > 0 && col < p) vb = *pb;
    if (todoA > 0 && row < n) va = *pa;
    Bs[threadIdx.y][threadIdx.x] = vb;
    As[threadIdx.y][threadIdx.x] = va;

    // next tiles
    pb += stepB;
    pa += kTile;
    todoB -= kTile;
    todoA -= kTile;
    __syncthreads();

    for (int i = 0; i != kTile; i++) s += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
    k += kTile;
  }

  if (col >= p) return;
  if (row >= n) return;
  c[col + row * p] = s;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
