// lab: lab10
// change: if (r >= 0 && r < rows && c >= 0 && c < cols) {
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;
__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  int row = blockIdx.y * kHeight + threadIdx.y;
  int col = blockIdx.x * kWidth + threadIdx.x;
  for (int y = threadIdx.y; y < kHeight + 2 * kRadius; y += kHeight) {
    for (int x = threadIdx.x; x < kWidth + 2 * kRadius; x += kWidth) {
      int r = (int)blockIdx.y * kHeight + y - kRadius;
      int c = (int)blockIdx.x * kWidth + x - kRadius;
      if (r < rows && c < cols) {
        tile[y][x] = in[r * cols + c];
      } else {
        tile[y][x] = 0;
      }
    }
  }
  __syncthreads();
  if (row < rows && col < cols) {
    float sum = 0;
    for (int dy = 0; dy <= 2 * kRadius; dy++) {
      for (int dx = 0; dx <= 2 * kRadius; dx++) {
        sum += tile[threadIdx.y + dy][threadIdx.x + dx];
      }
    }
    out[row * cols + col] = sum;
  }
}
