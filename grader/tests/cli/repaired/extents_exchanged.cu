// lab: lab10
// change: __shared__ float tile[Extent::kY][Extent::kX];
// Lab 10: a 7 x 7 stencil through a tile with a halo.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

struct Extent {
  static constexpr int kX = kWidth + 2 * kRadius;
  static constexpr int kY = kHeight + 2 * kRadius;
  static constexpr int kArea = kX * kY;
};

enum {
  kLoadSectors = 404428,
  kLoadWavefronts = 1,
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[Extent::kX][Extent::kY];  // width x height

  const int top = kHeight * static_cast<int>(blockIdx.y) - kRadius;
  const int left = kWidth * static_cast<int>(blockIdx.x) - kRadius;
  const int id = threadIdx.y * kWidth + threadIdx.x;

  // The block walks over the tile row by row, 256 elements at a time.
  for (int at = id; at < Extent::kArea; at += kWidth * kHeight) {
    const int y = at / Extent::kX;
    const int x = at % Extent::kX;
    const int r = top + y;
    const int c = left + x;
    const bool exists = r >= 0 && r < rows && c >= 0 && c < cols;
    tile[y][x] = exists ? in[r * cols + c] : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (int y = 0; y < 2 * kRadius + 1; ++y) {
    for (int x = 0; x < 2 * kRadius + 1; ++x) {
      sum += tile[threadIdx.y + y][threadIdx.x + x];
    }
  }

  const int row = top + kRadius + threadIdx.y;
  const int col = left + kRadius + threadIdx.x;
  if (row < rows && col < cols) out[row * cols + col] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float layers[2][kHeight + 2][kWidth + 2];  // in turn: one barrier a layer

  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * kWidth + threadIdx.x, y = blockIdx.y * kHeight + threadIdx.y;
  const auto at = [&](int k, int j, int i) {
    if (k >= nz || j < 0 || j >= ny || i < 0 || i >= nx) return 0.0f;
    return in[(k * ny + j) * nx + i];
  };

  float previous = 0.0f, here = at(0, y, x);
  for (int z = 0; z < nz; ++z) {
    auto& layer = layers[z % 2];
    const float following = at(z + 1, y, x);
    layer[ty][tx] = here;
    if (threadIdx.y == 0) layer[0][tx] = at(z, y - 1, x);
    if (threadIdx.y == kHeight - 1) layer[kHeight + 1][tx] = at(z, y + 1, x);
    if (threadIdx.x == 0) layer[ty][0] = at(z, y, x - 1);
    if (threadIdx.x == kWidth - 1) layer[ty][kWidth + 1] = at(z, y, x + 1);
    __syncthreads();

    if (x < nx && y < ny) {
      const float around =
          layer[ty][tx - 1] + layer[ty][tx + 1] + layer[ty - 1][tx] + layer[ty + 1][tx];
      out[(z * ny + y) * nx + x] = around + previous + following - 6.0f * here;
    }
    previous = here;
    here = following;
  }
}
