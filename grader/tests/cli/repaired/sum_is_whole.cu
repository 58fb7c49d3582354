// lab: lab5
// change: float sum = 0;
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty;
  int col = blockIdx.x * kTile + tx;
  int sum = 0;
  int tiles = (m + kTile - 1) / kTile;
  for (int t = 0; t < tiles; t++) {
    int ka = t * kTile + tx;
    int kb = t * kTile + ty;
    if (row < n && ka < m)
      As[ty][tx] = a[row * m + ka];
    else
      As[ty][tx] = 0;
    if (kb < m && col < p)
      Bs[ty][tx] = b[kb * p + col];
    else
      Bs[ty][tx] = 0;
    __syncthreads();
    for (int k = 0; k < kTile; k++) {
      sum += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
