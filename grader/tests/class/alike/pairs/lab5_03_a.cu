constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float u[kTile][kTile];
  __shared__ float v[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int i = blockIdx.y * kTile + y;
  const int j = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    u[y][x] = 0.0f;
    v[y][x] = 0.0f;
    if (i < n && k0 + x < m) u[y][x] = a[i * m + (k0 + x)];
    if (k0 + y < m && j < p) v[y][x] = b[(k0 + y) * p + j];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += u[y][k] * v[k][x];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}

__constant__ int matmul_registers_shape[4] = {32, 8, 32, 32};

// each thread: 4 rows of one column
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float u[kTile][kTile];
  __shared__ float v[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int j = blockIdx.x * kTile + x;
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k0 = 0; k0 < m; k0 += kTile) {
    for (int r = y; r < kTile; r += 8) {
      int i = blockIdx.y * kTile + r;
      u[r][x] = (i < n && k0 + x < m) ? a[i * m + (k0 + x)] : 0.0f;
      v[r][x] = (k0 + r < m && j < p) ? b[(k0 + r) * p + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      float f = v[k][x];
      for (int s = 0; s < 4; ++s) sum[s] += u[y + 8 * s][k] * f;
    }
    __syncthreads();
  }
  for (int s = 0; s < 4; ++s) {
    int i = blockIdx.y * kTile + y + 8 * s;
    if (i < n && j < p) c[i * p + j] = sum[s];
  }
}
