// verdict: race
// defect: race.swapped_indices
// The tile of A is filled transposed where there is an element, and untransposed where there is none.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    if (row < n && k0 + tx < m)
      tile_a[tx][ty] = a[row * m + k0 + tx];  // <--
    else
      tile_a[ty][tx] = 0.0f;  // <--
    if (k0 + ty < m && col < p)
      tile_b[ty][tx] = b[(k0 + ty) * p + col];
    else
      tile_b[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[k][ty] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
