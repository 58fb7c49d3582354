// lab: lab5
// change:
// change: if (row < n && k0 + tx < m) As[ty][tx] = a[row * m + (k0 + tx)];
// change: if (col < p && k0 + ty < m) Bs[ty][tx] = b[(k0 + ty) * p + col];
// change:
// Lab 5: C = A B with tiles
constexpr int kTile = 32;

enum {
  kLoadSectors = 4,
  kAllLoadSectors = 1048576,
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;

  // A thread outside of C has no work. It must not return (barriers!), so it puts zeros.
  const bool working = row < n && col < p;

  float dot = 0;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    As[ty][tx] = 0;
    Bs[ty][tx] = 0;
    if (working) {
      if (k0 + tx < m) As[ty][tx] = a[row * m + (k0 + tx)];
      if (k0 + ty < m) Bs[ty][tx] = b[(k0 + ty) * p + col];
    }
    __syncthreads();

    for (int k = 0; k < kTile; k++) dot += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }

  if (working) c[row * p + col] = dot;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
}
