// Lab 2: two naive transposes, without shared memory.
#define ____ 0  // a blank; a kernel that still has one is not graded

// `in` has `rows` rows of `cols` elements each, row after row; `out` is its transpose, with `cols`
// rows of `rows` elements: out[c * rows + r] = in[r * cols + c] for every row r and column c. T is
// float or double. Each thread moves one element.
//
// The block has two dimensions, of any size. The grid is the smallest that covers the matrix.

// Predict first (no points), a number in place of each 0.
// The sectors that a warp touches, for floats:
enum {
  kStoreSectors = 0,  // with the store of transpose_coalesced_read
  kLoadSectors = 0,   // with the load of transpose_coalesced_write
};

// Reads are coalesced: threads that are neighbours in x read neighbouring elements of `in`. Here x
// counts the columns of `in`, and y its rows, in the grid as in the block.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int row = ____, col = ____;  // TODO: of this thread
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

// Writes are coalesced: threads that are neighbours in x write neighbouring elements of `out`. Here x
// counts the rows of `in`, and y its columns, in the grid as in the block.
template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  // TODO: the same, but row comes from x and col from y. The line that copies stays as it is.
}
