// Lab 3: corner turning. See README.md beside this file; `ctest -L lab3` grades it.
//
// Transpose `in` (rows x cols, row-major) into `out` (cols x rows, row-major): out[c][r] = in[r][c].
// Launched with 32 x 32 threads a block, one block a tile; blockIdx.x counts tiles along the columns of `in`,
// blockIdx.y along its rows. Rows and columns need not be multiples of 32.

#define TILE 32

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  // TODO 1: declare a square tile of TILE x TILE elements in shared memory.
  // TODO 2: load this block's tile, neighbouring threads from neighbouring addresses. Mind the edges.
  // TODO 3: wait until the whole block has loaded.
  // TODO 4: store the tile turned, neighbouring threads to neighbouring addresses. Mind the edges again.
}
