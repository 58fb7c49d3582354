// lab: lab10
// change: behind = here;
// change: here = ahead;
// Lab 10: stencil, with the bonus
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 396492,
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;

  for (int dy = 0; threadIdx.y + dy < kHeight + 2 * kRadius; dy += kHeight) {
    const int r = row - kRadius + dy;
    for (int dx = 0; threadIdx.x + dx < kWidth + 2 * kRadius; dx += kWidth) {
      const int c = col - kRadius + dx;
      const bool in_matrix = 0 <= r && r < rows && 0 <= c && c < cols;
      tile[threadIdx.y + dy][threadIdx.x + dx] = in_matrix ? in[r * cols + c] : 0.0f;
    }
  }
  __syncthreads();

  float sum = 0.0f;
  for (int k = 0; k < 49; ++k) sum += tile[threadIdx.y + k / 7][threadIdx.x + k % 7];
  if (row < rows && col < cols) out[row * cols + col] = sum;
}

// Three layers at a time: behind (z - 1) and ahead (z + 1) are only needed in the thread's own
// column; here (z) goes to the tile, for the neighbours.
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kWidth + tx;
  const int y = blockIdx.y * kHeight + ty;
  const int layer = nx * ny;
  const int me = y * nx + x;
  const bool exists = x < nx && y < ny;

  float behind = 0.0f;
  float here = exists && nz > 0 ? in[me] : 0.0f;
  for (int z = 0; z < nz; ++z) {
    const float* now = in + z * layer;
    const float ahead = exists && z + 1 < nz ? now[layer + me] : 0.0f;

    tile[ty + 1][tx + 1] = here;
    if (ty == 0) tile[0][tx + 1] = y > 0 && x < nx ? now[me - nx] : 0.0f;
    if (ty == kHeight - 1) tile[kHeight + 1][tx + 1] = y + 1 < ny && x < nx ? now[me + nx] : 0.0f;
    if (tx == 0) tile[ty + 1][0] = x > 0 && y < ny ? now[me - 1] : 0.0f;
    if (tx == kWidth - 1) tile[ty + 1][kWidth + 1] = x + 1 < nx && y < ny ? now[me + 1] : 0.0f;
    __syncthreads();

    if (exists) {
      out[z * layer + me] = tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                            tile[ty + 2][tx + 1] + behind + ahead - 6 * here;
    }
    __syncthreads();

    // one layer on
    here = ahead;
    behind = here;
  }
}
