// lab: lab5
// change: for (int t = 0; t < (m + kTile - 1) / kTile; t++) {
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty;
  int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int t = 0; t < m / kTile; t++) {
    int ac = t * kTile + tx;
    int br = t * kTile + ty;
    As[ty][tx] = (row < n && ac < m) ? a[row * m + ac] : 0.0f;
    Bs[ty][tx] = (br < m && col < p) ? b[br * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; k++)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional)
}

