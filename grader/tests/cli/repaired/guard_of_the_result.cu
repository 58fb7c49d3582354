// lab: lab5
// change: if (row < n && ax < m)
// change: if (col < p && by < m)
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  bool valid = row < n && col < p;
  float value = 0;
  for (int tile = 0; tile < (m + kTile - 1) / kTile; ++tile) {
    int ax = tile * kTile + threadIdx.x;
    int by = tile * kTile + threadIdx.y;
    if (valid && ax < m)
      As[threadIdx.y][threadIdx.x] = a[row * m + ax];
    else
      As[threadIdx.y][threadIdx.x] = 0;
    if (valid && by < m)
      Bs[threadIdx.y][threadIdx.x] = b[by * p + col];
    else
      Bs[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) value += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (valid) c[row * p + col] = value;
}
