// Style: a needless XOR swizzle of B's tile, for he had just learned it. With __launch_bounds__(1024), which it needs.
// Right: the swizzle permutes each row of the tile, the same way on store and load, so no conflicts and the same products.
constexpr int kTile = 32;

__device__ __forceinline__ int swz(int r, int q) { return q ^ r; }

__global__ void __launch_bounds__(1024)
    matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float sa[kTile][kTile];
  __shared__ float sb[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = kTile * blockIdx.y + ty, j = kTile * blockIdx.x + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    sa[ty][swz(ty, tx)] = (i < n && k0 + tx < m) ? a[i * m + k0 + tx] : 0.0f;
    sb[ty][swz(ty, tx)] = (k0 + ty < m && j < p) ? b[(k0 + ty) * p + j] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += sa[ty][swz(ty, k)] * sb[k][swz(k, tx)];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
