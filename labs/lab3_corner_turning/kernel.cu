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
#define ____ 0  // a blank; a kernel that still has one is not graded

// Predict first (no points), a number in place of each 0.
// The sectors that a warp touches in global memory, for floats:
enum {
  kLoadSectors = 0,   // with its load from `in`
  kStoreSectors = 0,  // with its store to `out`
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y;
  int col = blockIdx.x * kTile + threadIdx.x;
  if (____) {  // TODO 1: is there such an element?
    tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
  }
  // TODO 2: the barrier __syncthreads(); goes here. It waits until the whole block has done so.
  // TODO 3: which element of `out` does this thread store? out_row is as row, but with blockIdx.x;
  // out_col is as col, but with blockIdx.y. threadIdx.x and threadIdx.y stay where they are, so that
  // neighbours in x still store neighbours in memory.
  int out_row = ____, out_col = ____;
  // TODO 4: is there such an element? `out` has cols rows, and each of them has rows elements.
  if (____) {
    out[out_row * rows + out_col] = tile[____][____];  // TODO 5: swapping the blocks moves the tile; here it is transposed
  }
}
