// Lab 3: corner turning. Transpose through a tile in shared memory, so that reads and writes are
// both coalesced.
//
// `in` has `rows` rows of `cols` elements; out[c * rows + r] = in[r * cols + c], as in lab 2. T is
// float or double.
//
// Blocks are 32 x 32 threads, one element a thread. Block (blockIdx.x, blockIdx.y) takes the tile
// of `in` whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. rows and cols
// need not be multiples of 32, and either may be 0: then there is nothing to do.
constexpr int kTile = 32;

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// For floats:
enum {
  kStoreSectors = 4,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 1,  // how many wavefronts does a load of a tile's column take?
};

template <typename T>
__global__ void corner_turn(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
  if (rows <= 0 || cols <= 0) return;

  // one more column against bank conflicts
  __shared__ T tile[kTile][kTile + 1];

  const size_t R = rows, C = cols;
  const size_t r0 = size_t(blockIdx.y) * kTile;
  const size_t c0 = size_t(blockIdx.x) * kTile;

  {
    const size_t r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    if (!(r >= R || c >= C)) tile[threadIdx.y][threadIdx.x] = in[r * C + c];
  }
  __syncthreads();
  {
    const size_t r = r0 + threadIdx.x, c = c0 + threadIdx.y;
    if (!(r >= R || c >= C)) out[c * R + r] = tile[threadIdx.x][threadIdx.y];
  }
}
