// Lab 2: two naive transposes, without shared memory.
#define ____ 0  // a blank; a kernel that still has one is not graded

// `in` has `rows` rows of `cols` elements each, row after row; `out` is its transpose, with `cols`
// rows of `rows` elements: out[c * rows + r] = in[r * cols + c] for every row r and column c. T is
// float or double. Each thread moves one element.
//
// The block has two dimensions, of any size. The grid is the smallest that covers the matrix; the
// comment above each kernel says which of its dimensions covers the rows.

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a warp touches, for floats:
enum {
  kStoreSectors = 0,  // with the store of transpose_coalesced_read
  kLoadSectors = 0,   // with the load of transpose_coalesced_write
};

// Reads are coalesced: threads that are neighbours in x read neighbouring elements of `in`. The x
// dimension of the grid covers the columns of `in`, the y dimension its rows.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int row = ____, col = ____;  // TODO: of this thread
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

// Writes are coalesced: threads that are neighbours in x write neighbouring elements of `out`. The
// x dimension of the grid covers the rows of `in`, the y dimension its columns.
template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  // TODO: the same, but here x gives the row of `in`, and y its column.
}
