// lab: lab5
// change: left[y][x] = i < n && (step * kTile + x) < m ? a[i * m + (step * kTile + x)] : 0;
// change: right[y][x] = (step * kTile + y) < m && j < p ? b[(step * kTile + y) * p + j] : 0;
// why: change_same_tile
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * kTile + y, j = blockIdx.x * kTile + x;
  float sum = 0;
  for (int step = 0; step < (m + kTile - 1) / kTile; ++step) {
    left[y][x] = i < n && x < m ? a[i * m + x] : 0;
    right[y][x] = y < m && j < p ? b[y * p + j] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}
