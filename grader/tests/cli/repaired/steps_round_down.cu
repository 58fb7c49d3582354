// lab: lab5
// change: const int steps = (m + kTile - 1) / kTile;
// Lab 5: matrix product through shared tiles.
constexpr int kTile = 32;

enum {
  kLoadSectors = 4,           // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 1048576,  // how many do all of them move?
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int i = blockIdx.y * kTile + ty;
  const int j = blockIdx.x * kTile + tx;

  const int steps = m / kTile;  // tiles along the inner dimension
  float sum = 0.0f;

  for (int s = 0; s < steps; ++s) {
    const int ka = s * kTile + tx;  // column of A
    const int kb = s * kTile + ty;  // row of B
    if (i < n && ka < m)
      As[ty][tx] = a[i * m + ka];
    else
      As[ty][tx] = 0.0f;
    if (kb < m && j < p)
      Bs[ty][tx] = b[kb * p + j];
    else
      Bs[ty][tx] = 0.0f;
    __syncthreads();

    for (int k = 0; k < kTile; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }

  if (i < n && j < p) c[i * p + j] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional)
}
