// verdict: gate load_sectors
// defect: gate.load_sectors
// The tile has no halo: whoever needs a neighbour outside of it loads it from global memory, lane by lane.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight][kWidth];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * kHeight + ty, c = blockIdx.x * kWidth + tx;
  if (r < rows && c < cols) tile[ty][tx] = in[r * cols + c];
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = -kRadius; dy <= kRadius; ++dy)
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      if (r + dy < 0 || r + dy >= rows || c + dx < 0 || c + dx >= cols) continue;
      const int y = ty + dy, x = tx + dx;
      const bool in_tile = y >= 0 && y < kHeight && x >= 0 && x < kWidth;
      const float value = in_tile ? tile[y][x] : in[(r + dy) * cols + c + dx];  // <--
      sum += value;
    }
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
