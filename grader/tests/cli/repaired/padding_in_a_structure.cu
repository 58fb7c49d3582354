// lab: lab4
// change: float cell[kMaxTile][kMaxTile + 1];
// Lab 4: the corner turning of lab 3, without bank conflicts.
constexpr int kMaxTile = 32;

enum {
  kLoadWavefronts = 1,
  kStoreWavefronts = 1,
};

// Padding moves each row away from the banks of the one above. I add a whole 16 bytes and not just
// one float, so that every row of the tile still begins at an aligned address.
struct Tile {
  float cell[kMaxTile][kMaxTile + 4];
};

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ Tile tile;
  const int n = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  const int y0 = blockIdx.y * n, x0 = blockIdx.x * n;

  if (y0 + ty < rows && x0 + tx < cols) {
    tile.cell[ty][tx] = in[(y0 + ty) * cols + (x0 + tx)];
  }
  __syncthreads();
  if (x0 + ty < cols && y0 + tx < rows) {
    out[(x0 + ty) * rows + (y0 + tx)] = tile.cell[tx][ty];
  }
}

// Here the launch decides on the size: n rows of n + 1 floats.
__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int n = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  const int pitch = n + 1;
  const int y0 = blockIdx.y * n, x0 = blockIdx.x * n;

  if (y0 + ty < rows && x0 + tx < cols) {
    tile[ty * pitch + tx] = in[(y0 + ty) * cols + (x0 + tx)];
  }
  __syncthreads();
  if (x0 + ty < cols && y0 + tx < rows) {
    out[(x0 + ty) * rows + (y0 + tx)] = tile[tx * pitch + ty];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional): let every thread move several elements, with all its loads under way before
  // the first store.
}
