// lab: lab10
// change: __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius]; __shared__ float downs[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
// change: downs[ty + kRadius][x] = down;
// change: for (int d = 0; d <= 2 * kRadius; ++d) sum += downs[ty + kRadius][tx + d];
// 7 x 7 sum. Separable: columns first, then rows.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 396492,     // how many sectors do all loads from `in` touch?
  kLoadWavefronts = 1,  // how many wavefronts does a load of 32 neighbours from the tile take?
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kHeight, left = blockIdx.x * kWidth;

  for (int y = ty; y < kHeight + 2 * kRadius; y += kHeight) {
    for (int x = tx; x < kWidth + 2 * kRadius; x += kWidth) {
      const int r = top + y - kRadius, c = left + x - kRadius;
      float value = 0;
      if (r >= 0 && r < rows && c >= 0 && c < cols) value = in[r * cols + c];
      tile[y][x] = value;
    }
  }
  __syncthreads();

  // 7 + 7 additions instead of 49: first down each column, halo columns too. The sum takes the place
  // of the middle element, which is this thread's own, so that nobody else is disturbed.
  for (int x = tx; x < kWidth + 2 * kRadius; x += kWidth) {
    float down = 0;
    for (int d = 0; d <= 2 * kRadius; ++d) down += tile[ty + d][x];
    tile[ty + kRadius][x] = down;
  }
  __syncthreads();

  // then along the row of sums
  if (top + ty < rows && left + tx < cols) {
    float sum = 0;
    for (int d = 0; d <= 2 * kRadius; ++d) sum += tile[ty + kRadius][tx + d];
    out[(top + ty) * cols + left + tx] = sum;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional): loop over z. What a thread needs from the layers before and after is in its own
  // column: keep it in variables. Only the layer in between needs a tile.
}
