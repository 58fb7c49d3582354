// In two steps: 7 down each of the 38 columns, then 7 of these sums along the rows.
__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[14][38];
  __shared__ float sums[8][38];
  for (int y = threadIdx.y; y < 14; y += 8) {
    const int r = static_cast<int>(blockIdx.y) * 8 - 3 + y;
    for (int x = threadIdx.x; x < 38; x += 32) {
      const int c = static_cast<int>(blockIdx.x) * 32 - 3 + x;
      float value = 0;
      if (r >= 0 && r < rows)
        if (c >= 0 && c < cols) value = in[r * cols + c];
      tile[y][x] = value;
    }
  }
  __syncthreads();
  const int y = threadIdx.y;
  for (int x = threadIdx.x; x < 38; x += 32) {
    float sum = 0;
    for (int k = 0; k < 7; ++k) sum += tile[y + k][x];
    sums[y][x] = sum;
  }
  __syncthreads();
  const int r = blockIdx.y * 8 + y, c = blockIdx.x * 32 + threadIdx.x;
  if (r < rows && c < cols) {
    float sum = 0;
    for (int k = 0; k < 7; ++k) sum += sums[y][threadIdx.x + k];
    out[r * cols + c] = sum;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
