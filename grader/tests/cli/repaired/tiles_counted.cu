// lab: lab5
// change: for (int t = 0; t < m; t += kTile) {
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * blockDim.y + ty;
  const int col = blockIdx.x * blockDim.x + tx;
  float acc = 0.0f;
  for (int t = 0; t < m / kTile; t++) {
    as[ty][tx] = 0.0f;
    bs[ty][tx] = 0.0f;
    if (row < n && t + tx < m) as[ty][tx] = a[row * m + t + tx];
    if (col < p && t + ty < m) bs[ty][tx] = b[(t + ty) * p + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) acc += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = acc;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
