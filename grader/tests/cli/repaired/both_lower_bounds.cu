// lab: lab10
// change: if (r < 0 || r >= rows || c < 0 || c >= cols) {
// Lab 10: a stencil. Each element of `out` is the sum of the 7 x 7 elements of `in` around the same
// place: 3 rows up to 3 rows down, 3 columns left to 3 columns right. (A 49th of it would be their
// mean: a blurred picture.)
//
// `in` and `out` have `rows` rows of `cols` floats, row after row. What lies outside of the matrix
// counts as 0. Either size may be 0: then there is nothing to do. The elements are whole numbers,
// so every order of the additions gives the same result.
//
// Blocks are 32 x 8 threads, one element a thread: block (blockIdx.x, blockIdx.y) takes the tile
// whose top left corner is at row 8 * blockIdx.y, column 32 * blockIdx.x. rows and cols need not
// be multiples of 8 and 32.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

// Predict first (no points), a number in place of each 0.
// In your kernel, for rows = cols = 1024 (4096 blocks):
enum {
  kLoadSectors = 0,     // how many sectors do all loads from `in` touch?
  kLoadWavefronts = 0,  // how many wavefronts does a load of 32 neighbours from the tile take?
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float halo[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  for (int v = threadIdx.y; v < kHeight + 2 * kRadius; v += kHeight) {
    for (int u = threadIdx.x; u < kWidth + 2 * kRadius; u += kWidth) {
      const int r = blockIdx.y * kHeight + v - kRadius;
      const int c = blockIdx.x * kWidth + u - kRadius;
      if (r >= rows || c >= cols) {
        halo[v][u] = 0;
      } else {
        halo[v][u] = in[r * cols + c];
      }
    }
  }
  __syncthreads();
  if (row < rows && col < cols) {
    float result = 0;
    for (int v = -kRadius; v <= kRadius; ++v) {
      for (int u = -kRadius; u <= kRadius; ++u) {
        result += halo[threadIdx.y + kRadius + v][threadIdx.x + kRadius + u];
      }
    }
    out[row * cols + col] = result;
  }
}

// Optional, for bonus points: a stencil in three dimensions, with six neighbours.
//
//   out[z][y][x] = in[z][y][x - 1] + in[z][y][x + 1] + in[z][y - 1][x] + in[z][y + 1][x]
//                + in[z - 1][y][x] + in[z + 1][y][x] - 6 * in[z][y][x]
//
// The arrays have nz layers of ny rows of nx floats, layer after layer. What lies outside of the
// box counts as 0. Blocks are 32 x 8 threads, and each goes through all layers: block (blockIdx.x,
// blockIdx.y) takes the elements whose y begins at 8 * blockIdx.y and whose x begins at
// 32 * blockIdx.x.
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  // TODO (optional): loop over z. What a thread needs from the layers before and after is in its own
  // column: keep it in variables. Only the layer in between needs a tile.
}
