constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float A[kTile][kTile];
  __shared__ float B[kTile][kTile];
  const int row = threadIdx.y + kTile * blockIdx.y;
  const int col = threadIdx.x + kTile * blockIdx.x;
  float s = 0.0f;
  for (int t = 0; t * kTile < m; t++) {
    const int ak = t * kTile + threadIdx.x;
    const int bk = t * kTile + threadIdx.y;
    if (row < n && ak < m) {
      A[threadIdx.y][threadIdx.x] = a[row * m + ak];
    } else {
      A[threadIdx.y][threadIdx.x] = 0.0f;
    }
    if (bk < m && col < p) {
      B[threadIdx.y][threadIdx.x] = b[bk * p + col];
    } else {
      B[threadIdx.y][threadIdx.x] = 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kTile; k++) s += A[threadIdx.y][k] * B[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = s;
}

constexpr int kEdge = 64;
constexpr int kDepth = 16;
constexpr int kSide = 16;
constexpr int kEach = 4;

__constant__ int matmul_registers_shape[4] = {kSide, kSide, kEdge, kEdge};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float A[kEdge][kDepth];
  __shared__ float B[kDepth][kEdge];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = kEdge * blockIdx.y;
  const int left = kEdge * blockIdx.x;
  float sum[kEach][kEach] = {};

  for (int start = 0; start < m; start += kDepth) {
#pragma unroll
    for (int q = 0; q < kEach; q++) {
      const int ar = ty + kSide * q;
      const int bc = tx + kSide * q;
      A[ar][tx] = (top + ar < n && start + tx < m) ? a[(top + ar) * m + start + tx] : 0.0f;
      B[ty][bc] = (start + ty < m && left + bc < p) ? b[(start + ty) * p + left + bc] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; k++) {
      float u[kEach], v[kEach];
#pragma unroll
      for (int q = 0; q < kEach; q++) {
        u[q] = A[ty + kSide * q][k];
        v[q] = B[k][tx + kSide * q];
      }
#pragma unroll
      for (int i = 0; i < kEach; i++)
#pragma unroll
        for (int j = 0; j < kEach; j++) sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kEach; i++) {
    const int row = top + ty + kSide * i;
#pragma unroll
    for (int j = 0; j < kEach; j++) {
      const int col = left + tx + kSide * j;
      if (row < n && col < p) c[row * p + col] = sum[i][j];
    }
  }
}
