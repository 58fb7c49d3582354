// lab: lab5
// change: const int column = step + x, row = step + y;
// why: change_counts_elements
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * kTile + y, j = blockIdx.x * kTile + x;
  float sum = 0;
  for (int step = 0; step < m; step += kTile) {
    const int column = step * kTile + x, row = step * kTile + y;
    left[y][x] = i < n && column < m ? a[i * m + column] : 0;
    right[y][x] = row < m && j < p ? b[row * p + j] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}
