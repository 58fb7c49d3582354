// Lab 5: matrix product through shared tiles.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];

  int row = blockIdx.y * kTile + threadIdx.y;
  int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;

  for (int start = 0; start < m; start += kTile) {
    // Load both tiles, zeros outside.
    int a_col = start + threadIdx.x;
    int b_row = start + threadIdx.y;
    if (row < n && a_col < m) {
      a_tile[threadIdx.y][threadIdx.x] = a[row * m + a_col];
    } else {
      a_tile[threadIdx.y][threadIdx.x] = 0.0f;
    }
    if (b_row < m && col < p) {
      b_tile[threadIdx.y][threadIdx.x] = b[b_row * p + col];
    } else {
      b_tile[threadIdx.y][threadIdx.x] = 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < kTile; ++k) {
      sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    }
    __syncthreads();
  }

  if (row < n && col < p) {
    c[row * p + col] = sum;
  }
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
