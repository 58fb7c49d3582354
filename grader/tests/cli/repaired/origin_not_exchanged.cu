// lab: lab3
// change: if (x0 + ty < cols && y0 + tx < rows) {
// change: out[(x0 + ty) * rows + (y0 + tx)] = tile[tx][ty];
// Lab 3: corner turning.
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,
  kColumnWavefronts = 32,
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;

  // where the tile begins
  const int x0 = kTile * blockIdx.x;
  const int y0 = kTile * blockIdx.y;

  if (y0 + ty < rows && x0 + tx < cols) {
    tile[ty][tx] = in[(y0 + ty) * cols + (x0 + tx)];
  }

  __syncthreads();  // the whole tile is there

  // out has `cols` rows and `rows` columns. The turn itself is tile[tx][ty] in place of tile[ty][tx].
  if (y0 + ty < cols && x0 + tx < rows) {
    out[(y0 + ty) * rows + (x0 + tx)] = tile[tx][ty];
  }
}
