// Lab 5: tiled matrix multiplication
constexpr int kTile = 32;

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// For n = 1024, m = 128 and p = 1024:
enum {
  kLoadSectors = 4,     // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 1048576,  // how many do all of them move?
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float rowsOfA[kTile][kTile];
  __shared__ float colsOfB[kTile][kTile];

  size_t i = (size_t)blockIdx.y * kTile + threadIdx.y;
  size_t j = (size_t)blockIdx.x * kTile + threadIdx.x;
  size_t N = n, M = m, P = p;

  // i and j clamped into the matrices: the load needs no test then, only a factor 0 or 1
  size_t ci = i < N ? i : N - 1;
  size_t cj = j < P ? j : P - 1;

  double sum = 0;
  for (size_t k = 0; k < M; k += kTile) {
    size_t ka = k + threadIdx.x, kb = k + threadIdx.y;
    rowsOfA[threadIdx.y][threadIdx.x] = ka < M ? a[ci * M + ka] : 0.0f;
    colsOfB[threadIdx.y][threadIdx.x] = kb < M ? b[kb * P + cj] : 0.0f;
    __syncthreads();
    for (int t = 0; t < kTile; ++t)
      sum += rowsOfA[threadIdx.y][t] * colsOfB[t][threadIdx.x];
    __syncthreads();
  }
  if (!(i < N)) return;
  if (!(j < P)) return;
  c[i * P + j] = (float)sum;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
