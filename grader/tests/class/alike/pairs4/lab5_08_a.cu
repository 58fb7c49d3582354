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
  kLoadSectors = 8,     // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 2097152,  // how many do all of them move?
};

struct Tile {
  float v[kTile][kTile];

  __device__ void load(const float* src, int r0, int c0, int rows, int cols) {
    int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    float x = 0;
    if (r < rows && c < cols) x = src[r * cols + c];
    v[threadIdx.y][threadIdx.x] = x;
  }
};

__device__ float rowTimesColumn(const Tile& s, const Tile& t) {
  float dot = 0;
  for (int k = 0; k < kTile; k++) dot += s.v[threadIdx.y][k] * t.v[k][threadIdx.x];
  return dot;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ Tile s, t;
  int r0 = blockIdx.y * kTile, c0 = blockIdx.x * kTile;
  float result = 0;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    s.load(a, r0, k0, n, m);
    t.load(b, k0, c0, m, p);
    __syncthreads();
    result += rowTimesColumn(s, t);
    __syncthreads();
  }
  int r = r0 + threadIdx.y, cc = c0 + threadIdx.x;
  if (r < n && cc < p) c[r * p + cc] = result;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
