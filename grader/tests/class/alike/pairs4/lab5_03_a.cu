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

// Two pointers walk: one to the right along A, one down B.
__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kTile][kTile];
  __shared__ float right[kTile][kTile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int r = kTile * blockIdx.y + y;
  const int q = kTile * blockIdx.x + x;
  const bool rowExists = r < n;
  const bool colExists = q < p;

  const float* fromA = a + r * m + x;
  const float* fromB = b + y * p + q;
  float value = 0.0f;

  int restA = m - x;  // elements to the right of this thread
  int restB = m - y;  // elements below
  for (int done = 0; done < m; done += kTile) {
    left[y][x] = rowExists && restA > 0 ? *fromA : 0.0f;
    right[y][x] = colExists && restB > 0 ? *fromB : 0.0f;
    __syncthreads();
    for (int e = 0; e < kTile; ++e) value = left[y][e] * right[e][x] + value;
    __syncthreads();
    fromA += kTile;
    fromB += kTile * p;
    restA -= kTile;
    restB -= kTile;
  }

  if (rowExists && colExists) c[r * p + q] = value;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
