// Style: both tiles are 32 x 33, by habit from lab 4; everything else as in the lecture.
// Right: padding is needless but harmless: no conflicts, one fetch for 32 threads, two barriers per step.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tileA[kTile][kTile + 1];
  __shared__ float tileB[kTile][kTile + 1];

  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = kTile * blockIdx.y + ty;
  const int col = kTile * blockIdx.x + tx;

  float acc = 0.0f;
  for (int t = 0; t < (m + kTile - 1) / kTile; ++t) {
    tileA[ty][tx] = row < n && t * kTile + tx < m ? a[row * m + t * kTile + tx] : 0.0f;
    tileB[ty][tx] = col < p && t * kTile + ty < m ? b[(t * kTile + ty) * p + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) acc += tileA[ty][k] * tileB[k][tx];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = acc;
}

// Bonus: 4 x 4 elements, a step of 16.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float sa[16][64 + 1];  // turned: sa[k][row]
  __shared__ float sb[16][64];
  const int tx = threadIdx.x, ty = threadIdx.y, t = 16 * ty + tx;
  const int row0 = 64 * blockIdx.y, col0 = 64 * blockIdx.x;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < m; k0 += 16) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int r = ty + 16 * e;
      sa[tx][r] = row0 + r < n && k0 + tx < m ? a[(row0 + r) * m + k0 + tx] : 0.0f;
      const int kk = t / 64 + 4 * e, cc = t % 64;
      sb[kk][cc] = k0 + kk < m && col0 + cc < p ? b[(k0 + kk) * p + col0 + cc] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) x[i] = sa[k][ty + 16 * i];
#pragma unroll
      for (int j = 0; j < 4; ++j) y[j] = sb[k][tx + 16 * j];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = row0 + ty + 16 * i, q = col0 + tx + 16 * j;
      if (r < n && q < p) c[r * p + q] = acc[i][j];
    }
}
