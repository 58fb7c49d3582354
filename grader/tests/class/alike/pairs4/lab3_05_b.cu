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
  kColumnWavefronts = 32,  // how many wavefronts does a load of a tile's column take?
};

// true if this element belongs to the matrix
__device__ bool ok(int i, int j, int ni, int nj) {
  return j < nj && i < ni;
}

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T shared_tile[kTile][kTile];
  const int px = threadIdx.x;
  const int py = threadIdx.y;
  const int originRow = kTile * blockIdx.y;
  const int originCol = kTile * blockIdx.x;

  // load phase
  int j = px + originCol;
  int i = py + originRow;
  if (ok(i, j, rows, cols)) {
    shared_tile[py][px] = in[j + i * cols];
  }

  __syncthreads();

  // store phase
  j = px + originRow;
  i = py + originCol;
  if (ok(i, j, cols, rows)) {
    out[j + i * rows] = shared_tile[px][py];
  }
}
