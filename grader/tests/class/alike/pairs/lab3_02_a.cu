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

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  // TODO 1
  __shared__ T tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // TODO 2
  const int avail_rows = rows - (int)blockIdx.y * kTile;
  const int avail_cols = cols - (int)blockIdx.x * kTile;
  const T* from = &in[blockIdx.y * kTile * cols + blockIdx.x * kTile];
  T* to = &out[blockIdx.x * kTile * rows + blockIdx.y * kTile];
  if (ty < avail_rows && tx < avail_cols) tile[ty][tx] = from[ty * cols + tx];

  // TODO 3
  __syncthreads();

  // TODO 4
  if (ty < avail_cols && tx < avail_rows) to[ty * rows + tx] = tile[tx][ty];
}
