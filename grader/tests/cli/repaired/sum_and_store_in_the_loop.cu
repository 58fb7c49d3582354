// lab: lab5
// change: float sum = 0.0f; for (int start = 0; start < m; start += kTile) {
// change: 
// change: 
// change: 
// change: 
// change: } if (row < n && col < p) { c[row * p + col] = sum; }
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty;
  int col = blockIdx.x * kTile + tx;

  for (int start = 0; start < m; start += kTile) {
    tileA[ty][tx] = (row < n && start + tx < m) ? a[row * m + start + tx] : 0.0f;
    tileB[ty][tx] = (start + ty < m && col < p) ? b[(start + ty) * p + col] : 0.0f;
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < kTile; k++) {
      sum += tileA[ty][k] * tileB[k][tx];
    }
    if (row < n && col < p) {
      c[row * p + col] = sum;
    }
    __syncthreads();
  }
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
