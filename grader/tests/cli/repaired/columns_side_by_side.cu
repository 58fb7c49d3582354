// lab: lab5
// change: const int col = col0 + tx + 16 * j;
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  const int r = blockIdx.y * kTile + threadIdx.y;
  const int q = blockIdx.x * kTile + threadIdx.x;
  float s = 0.0f;
  for (int base = 0; base < m; base += kTile) {
    const int ka = base + threadIdx.x, kb = base + threadIdx.y;
    if (r < n && ka < m)
      As[threadIdx.y][threadIdx.x] = a[r * m + ka];
    else
      As[threadIdx.y][threadIdx.x] = 0.0f;
    if (kb < m && q < p)
      Bs[threadIdx.y][threadIdx.x] = b[kb * p + q];
    else
      Bs[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) s += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (r < n && q < p) c[r * p + q] = s;
}

// 16 x 16 threads, 4 x 4 elements each
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  constexpr int TK = 16;
  __shared__ float As[64][TK];
  __shared__ float Bs[TK][64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int id = ty * 16 + tx;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[4][4] = {};

  for (int k0 = 0; k0 < m; k0 += TK) {
#pragma unroll
    for (int l = 0; l < 4; ++l) {
      const int e = id + 256 * l;
      const int ar = e / TK, ak = e % TK;
      As[ar][ak] = (row0 + ar < n && k0 + ak < m) ? a[(row0 + ar) * m + k0 + ak] : 0.0f;
      const int bk = e / 64, bc = e % 64;
      Bs[bk][bc] = (k0 + bk < m && col0 + bc < p) ? b[(k0 + bk) * p + col0 + bc] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TK; ++k) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) x[i] = As[ty + 16 * i][k];
#pragma unroll
      for (int j = 0; j < 4; ++j) y[j] = Bs[k][tx + 16 * j];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = row0 + ty + 16 * i;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int col = col0 + 4 * tx + j;
      if (row < n && col < p) c[row * p + col] = acc[i][j];
    }
  }
}
