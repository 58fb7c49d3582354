// Style: the next two elements are fetched into registers while the block multiplies the present tiles.
// Right: registers are private; the tiles are written between two barriers, so no thread reads a half-updated tile.
constexpr int kTile = 32;

__device__ inline float element(const float* x, int r, int c, int height, int width) {
  return (r < height && c < width) ? x[r * width + c] : 0.0f;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile];
  __shared__ float tb[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * kTile + ty, j = blockIdx.x * kTile + tx;

  float next_a = element(a, i, tx, n, m);
  float next_b = element(b, ty, j, m, p);
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    ta[ty][tx] = next_a;
    tb[ty][tx] = next_b;
    __syncthreads();
    if (k0 + kTile < m) {
      next_a = element(a, i, k0 + kTile + tx, n, m);
      next_b = element(b, k0 + kTile + ty, j, m, p);
    }
    for (int k = 0; k < kTile; ++k) sum += ta[ty][k] * tb[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}

// Bonus: 8 rows and 4 columns a thread.
__constant__ int matmul_registers_shape[4] = {16, 8, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[64][17];
  __shared__ float tb[16][64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * 64, left = blockIdx.x * 64;
  float sum[8][4] = {};
  for (int k0 = 0; k0 < m; k0 += 16) {
    for (int r = ty; r < 64; r += 8) ta[r][tx] = element(a, top + r, k0 + tx, n, m);
    for (int k = ty; k < 16; k += 8)
      for (int q = tx; q < 64; q += 16) tb[k][q] = element(b, k0 + k, left + q, m, p);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x[8], y[4];
#pragma unroll
      for (int r = 0; r < 8; ++r) x[r] = ta[ty + 8 * r][k];
#pragma unroll
      for (int q = 0; q < 4; ++q) y[q] = tb[k][tx + 16 * q];
#pragma unroll
      for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int q = 0; q < 4; ++q) sum[r][q] += x[r] * y[q];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int q = 0; q < 4; ++q)
      if (top + ty + 8 * r < n && left + tx + 16 * q < p)
        c[(top + ty + 8 * r) * p + left + tx + 16 * q] = sum[r][q];
}
