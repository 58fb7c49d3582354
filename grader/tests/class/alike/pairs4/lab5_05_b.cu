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
  __shared__ float tile2[kTile * kTile];
  __shared__ float tile1[kTile * kTile];
  // place of the thread in its block
  const int id = threadIdx.x + (threadIdx.y << 5);
  const int u = id & 31;
  const int v = id >> 5;
  const int c1 = u + kTile * blockIdx.x;
  const int r1 = v + kTile * blockIdx.y;
  const int lineStart = v << 5;

  float dot = 0;
  const int count = (m + 31) / 32;
  for (int t = 0; t < count; ++t) {
    const int k0 = t << 5;
    float y = 0;
    float x = 0;
    if (k0 + v < m && c1 < p) y = b[c1 + p * (v + k0)];
    if (k0 + u < m && r1 < n) x = a[k0 + u + m * r1];
    tile2[id] = y;
    tile1[id] = x;
    __syncthreads();
    for (int w = 0; w < kTile; ++w) {
      const float f = tile1[lineStart + w];
      const float g = tile2[u + (w << 5)];
      dot += f * g;
    }
    __syncthreads();
  }
  if (r1 < n && c1 < p) {
    c[c1 + p * r1] = dot;
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
