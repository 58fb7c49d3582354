// lab: lab10
// change: } if (ty < kRadius && tx < kRadius) { tile[ty][tx] = get(in, r - kRadius, c - kRadius, rows, cols); tile[ty][tx + kRadius + kWidth] = get(in, r - kRadius, c + kWidth, rows, cols); tile[ty + kRadius + kHeight][tx] = get(in, r + kHeight, c - kRadius, rows, cols); tile[ty + kRadius + kHeight][tx + kRadius + kWidth] = get(in, r + kHeight, c + kWidth, rows, cols); }
// why: change_corners
// Lab 10: a stencil.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

enum {
  kLoadSectors = 344064,  // how many sectors do all loads from `in` touch?
  kLoadWavefronts = 1,    // how many wavefronts does a load of 32 neighbours from the tile take?
};

// 0 outside of the matrix
__device__ float get(const float* in, int r, int c, int rows, int cols) {
  if (r < 0 || r >= rows || c < 0 || c >= cols) return 0.0f;
  return in[r * cols + c];
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int c = blockIdx.x * kWidth + tx;
  const int r = blockIdx.y * kHeight + ty;

  // my own element, in the middle
  tile[ty + kRadius][tx + kRadius] = get(in, r, c, rows, cols);

  // the first three rows of threads: halo above and below
  if (ty < kRadius) {
    tile[ty][tx + kRadius] = get(in, r - kRadius, c, rows, cols);
    tile[ty + kRadius + kHeight][tx + kRadius] = get(in, r + kHeight, c, rows, cols);
  }

  // the first three columns of threads: halo left and right
  if (tx < kRadius) {
    tile[ty + kRadius][tx] = get(in, r, c - kRadius, rows, cols);
    tile[ty + kRadius][tx + kRadius + kWidth] = get(in, r, c + kWidth, rows, cols);
  }
  __syncthreads();

  if (r < rows && c < cols) {
    float sum = 0.0f;
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
      for (int dx = -kRadius; dx <= kRadius; ++dx) {
        sum += tile[ty + kRadius + dy][tx + kRadius + dx];
      }
    }
    out[r * cols + c] = sum;
  }
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional)
}
