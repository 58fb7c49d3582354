// verdict: race
// defect: race.lost_update
// says: Fix: Give each thread a variable of its own (without __shared__)
// says: declared without __shared__
// The sum is in shared memory, so all threads of the block add to the same one.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  __shared__ float sum;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
  sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    tile_a[ty][tx] = row < n && k0 + tx < m ? a[row * m + k0 + tx] : 0.0f;
    tile_b[ty][tx] = k0 + ty < m && col < p ? b[(k0 + ty) * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];  // <--
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
