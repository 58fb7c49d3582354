// Style: templates and __device__ helpers: load_tile, multiply_add, store, all parametrised by the edge.
// Right: the helpers are inlined into the classic scheme; load_tile zero-fills what lies outside, so the product runs over all 32.
constexpr int kTile = 32;

template <int Edge>
__device__ void load_tile(float (&tile)[Edge][Edge], const float* matrix, int height, int width,
                          int top, int left) {
  const int r = top + threadIdx.y, q = left + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = r < height && q < width ? matrix[r * width + q] : 0.0f;
}

template <int Edge>
__device__ float multiply_add(const float (&left)[Edge][Edge], const float (&right)[Edge][Edge],
                              float sum) {
  for (int k = 0; k < Edge; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
  return sum;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  const int top = kTile * blockIdx.y, left = kTile * blockIdx.x;
  float sum = 0;
  for (int k = 0; k < m; k += kTile) {
    load_tile(ta, a, n, m, top, k);
    load_tile(tb, b, m, p, k, left);
    __syncthreads();
    sum = multiply_add(ta, tb, sum);
    __syncthreads();
  }
  const int r = top + threadIdx.y, q = left + threadIdx.x;
  if (r < n && q < p) c[r * p + q] = sum;
}

// Bonus: a template for the number of rows and columns a thread, 2 x 2 was the first that worked.
template <int Rows, int Cols>
__device__ void several(const float* a, const float* b, float* c, int n, int m, int p) {
  constexpr int kEdgeY = 16 * Rows, kEdgeX = 16 * Cols, kDeep = 16;
  __shared__ float ta[kEdgeY][kDeep], tb[kDeep][kEdgeX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = kEdgeY * blockIdx.y, left = kEdgeX * blockIdx.x;
  float sums[Rows][Cols] = {};
  for (int k0 = 0; k0 < m; k0 += kDeep) {
    for (int i = 0; i < Rows; ++i) {
      const int r = ty + 16 * i;
      ta[r][tx] = top + r < n && k0 + tx < m ? a[(top + r) * m + k0 + tx] : 0.0f;
    }
    for (int j = 0; j < Cols; ++j) {
      const int q = tx + 16 * j;
      tb[ty][q] = k0 + ty < m && left + q < p ? b[(k0 + ty) * p + left + q] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kDeep; ++k)
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Cols; ++j) sums[i][j] += ta[ty + 16 * i][k] * tb[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Cols; ++j) {
      const int r = top + ty + 16 * i, q = left + tx + 16 * j;
      if (r < n && q < p) c[r * p + q] = sums[i][j];
    }
}

__constant__ int matmul_registers_shape[4] = {16, 16, 32, 32};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  several<2, 2>(a, b, c, n, m, p);
}
