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
  __shared__ T tile[kTile][kTile];

  int r = blockIdx.y * kTile + threadIdx.y;
  int c = blockIdx.x * kTile + threadIdx.x;
  if (r < rows && c < cols) {
    tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  }

  __syncthreads();

  // now swapped: row of out = column of in
  r = blockIdx.y * kTile + threadIdx.x;
  c = blockIdx.x * kTile + threadIdx.y;
  if (r < rows && c < cols) {
    out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
  }
}
