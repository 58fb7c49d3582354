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
  __shared__ T tile[kTile * kTile];
  int lane = threadIdx.x;
  int warp = threadIdx.y;  // a block row is exactly one warp
  int left = blockIdx.x * 32;
  int top = blockIdx.y * 32;

  // how much of the tile really exists
  int height = rows - top < kTile ? rows - top : kTile;
  int width = cols - left < kTile ? cols - left : kTile;

  if (warp < height && lane < width) {
    const T* source = in + top * cols + left;
    tile[warp * kTile + lane] = source[warp * cols + lane];
  }
  __syncthreads();
  if (lane < height && warp < width) {
    T* target = out + left * rows + top;
    target[warp * rows + lane] = tile[lane * kTile + warp];
  }
}
