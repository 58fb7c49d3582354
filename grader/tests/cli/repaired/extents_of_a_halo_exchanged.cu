// lab: lab10
// change: __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
// Lab 10: a stencil. Each element of `out` is the sum of the 7 x 7 elements of `in` around it.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 396492,  // row by row, 98 a block, fewer at the edges
  kLoadWavefronts = 1,    // neighbours in the tile: 32 banks
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  // the block's elements and 3 more on every side
  __shared__ float tile[kWidth + 2 * kRadius][kHeight + 2 * kRadius];

  const int top = blockIdx.y * kHeight - kRadius;   // of the tile; may be negative
  const int left = blockIdx.x * kWidth - kRadius;

  // fill it in steps of the block
  for (int r = threadIdx.y; r < kHeight + 2 * kRadius; r += kHeight) {
    for (int c = threadIdx.x; c < kWidth + 2 * kRadius; c += kWidth) {
      const int row = top + r;
      const int col = left + c;
      const bool exists = row >= 0 && row < rows && col >= 0 && col < cols;
      tile[r][c] = exists ? in[row * cols + col] : 0.0f;
    }
  }
  __syncthreads();

  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  if (row < rows && col < cols) {
    float sum = 0;
    for (int dr = 0; dr <= 2 * kRadius; dr++)
      for (int dc = 0; dc <= 2 * kRadius; dc++)
        sum += tile[threadIdx.y + dr][threadIdx.x + dc];
    out[row * cols + col] = sum;
  }
}

// 3D: walk through the layers, the column is kept in variables
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float layer[kHeight + 2][kWidth + 2];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kWidth + tx;
  const int y = blockIdx.y * kHeight + ty;

  auto at = [=](int zz, int yy, int xx) {
    if (zz < 0 || zz >= nz || yy < 0 || yy >= ny || xx < 0 || xx >= nx) return 0.0f;
    return in[(zz * ny + yy) * nx + xx];
  };

  float before = 0.0f;
  float here = at(0, y, x);
  for (int z = 0; z < nz; z++) {
    const float after = at(z + 1, y, x);

    layer[ty + 1][tx + 1] = here;
    if (tx == 0) layer[ty + 1][0] = at(z, y, x - 1);
    if (tx == kWidth - 1) layer[ty + 1][kWidth + 1] = at(z, y, x + 1);
    if (ty == 0) layer[0][tx + 1] = at(z, y - 1, x);
    if (ty == kHeight - 1) layer[kHeight + 1][tx + 1] = at(z, y + 1, x);
    __syncthreads();

    if (x < nx && y < ny) {
      out[(z * ny + y) * nx + x] = layer[ty + 1][tx] + layer[ty + 1][tx + 2] + layer[ty][tx + 1] +
                                   layer[ty + 2][tx + 1] + before + after - 6 * here;
    }
    __syncthreads();

    before = here;
    here = after;
  }
}
