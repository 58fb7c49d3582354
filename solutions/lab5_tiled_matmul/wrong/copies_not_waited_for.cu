// verdict: race
// defect: race.copy_not_awaited
// clang lines: 9 33
// Asynchronous copies fill the tiles, but the barrier does not wait for copies: each thread must,
// before it reaches the barrier.
constexpr int kTile = 32;

__device__ void copy(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from));
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    if (row < n && k0 + x < m)
      copy(&tile_a[y][x], &a[row * m + k0 + x]);
    else
      tile_a[y][x] = 0.0f;
    if (k0 + y < m && col < p)
      copy(&tile_b[y][x], &b[(k0 + y) * p + col]);  // <--
    else
      tile_b[y][x] = 0.0f;
    asm volatile("cp.async.commit_group;");
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];  // <--
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
