// Style: products and sum in double, tiles of float, as a numerical analyst wants it.
// Right: each product of two floats is exact in double; the tiles are those of the lecture.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile];
  __shared__ float tb[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * kTile + ty, j = blockIdx.x * kTile + tx;
  double sum = 0;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    ta[ty][tx] = i < n && k0 + tx < m ? a[i * m + k0 + tx] : 0.0f;
    tb[ty][tx] = k0 + ty < m && j < p ? b[(k0 + ty) * p + j] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += (double)ta[ty][k] * (double)tb[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = (float)sum;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
