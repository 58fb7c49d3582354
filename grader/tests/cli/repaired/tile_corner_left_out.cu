// lab: lab3
// change: if (top + y < rows && left + x < cols) tile[y][x] = in[y * cols + x];
// change: if (left + y < cols && top + x < rows) out[y * rows + x] = tile[x][y];
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

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a warp touches in global memory, for floats:
enum {
  kLoadSectors = 4,   // with its load from `in`
  kStoreSectors = 4,  // with its store to `out`
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;

  // Move both pointers to the corner of the block's tile. From here on x and y are enough.
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  in += top * cols + left;
  out += left * rows + top;

  if (y < rows && x < cols) tile[y][x] = in[y * cols + x];
  __syncthreads();
  if (y < cols && x < rows) out[y * rows + x] = tile[x][y];
}
