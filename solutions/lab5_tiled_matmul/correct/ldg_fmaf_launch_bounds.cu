// Style: __restrict__, __ldg, fmaf and __launch_bounds__ everywhere, 64-bit indices to be safe.
// Right: the classic scheme: two tiles, two barriers, zeros outside, one multiplication with addition per pair of reads.
constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile* kTile)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
           int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  const long long row = (long long)blockIdx.y * kTile + threadIdx.y;
  const long long col = (long long)blockIdx.x * kTile + threadIdx.x;
  float acc = 0.0f;
  for (long long k0 = 0; k0 < m; k0 += kTile) {
    const long long ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = (row < n && ka < m) ? __ldg(&a[row * m + ka]) : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = (kb < m && col < p) ? __ldg(&b[kb * p + col]) : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) acc = fmaf(As[threadIdx.y][k], Bs[k][threadIdx.x], acc);
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = acc;
}

// Bonus: 8 x 8 elements a thread in a 128 x 128 tile.
__constant__ int matmul_registers_shape[4] = {16, 16, 128, 128};

__global__ void __launch_bounds__(256)
    matmul_registers(const float* __restrict__ a, const float* __restrict__ b,
                     float* __restrict__ c, int n, int m, int p) {
  __shared__ float As[8][128 + 4];
  __shared__ float Bs[8][128];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const long long row0 = 128ll * blockIdx.y, col0 = 128ll * blockIdx.x;
  float acc[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) acc[i][j] = 0.0f;
  for (int k0 = 0; k0 < m; k0 += 8) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int r = t / 8 + 32 * e, k = t % 8;
      As[k][r] = (row0 + r < n && k0 + k < m) ? __ldg(&a[(row0 + r) * m + k0 + k]) : 0.0f;
    }
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int k = t / 128 + 2 * e, q = t % 128;
      Bs[k][q] =
          (k0 + k < m && col0 + q < p) ? __ldg(&b[(long long)(k0 + k) * p + col0 + q]) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float x[8], y[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) x[i] = As[k][ty * 8 + i];
#pragma unroll
      for (int j = 0; j < 8; ++j) y[j] = Bs[k][tx + 16 * j];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] = fmaf(x[i], y[j], acc[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      if (row0 + ty * 8 + i < n && col0 + tx + 16 * j < p)
        c[(row0 + ty * 8 + i) * p + col0 + tx + 16 * j] = acc[i][j];
}
