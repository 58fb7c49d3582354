// lab: lab5
// change: const int kb = k0 + y, jb = j0 + x;
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;

  float s = 0.0f;
  int k0 = 0;
  while (k0 < m) {
    const int ia = i0 + y, ka = k0 + x;
    const int kb = k0 + x, jb = j0 + y;
    as[y][x] = ia < n && ka < m ? a[ia * m + ka] : 0.0f;
    bs[kb - k0][jb - j0] = kb < m && jb < p ? b[kb * p + jb] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; k++) s = s + as[y][k] * bs[k][x];
    __syncthreads();
    k0 += kTile;
  }

  const int i = i0 + y, j = j0 + x;
  if (i < n && j < p) c[i * p + j] = s;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
