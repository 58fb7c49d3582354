// Lab 2: two naive transposes, without shared memory.
//
// `in` has `rows` rows of `cols` floats each, row after row; `out` is its transpose, with `cols` rows of `rows` floats:
// out[c * rows + r] = in[r * cols + c] for every row r and column c. Each thread moves one element.
//
// The block has two dimensions, of any size. The grid is the smallest that covers the matrix; which of its dimensions
// runs over the rows and which over the columns is said at each kernel.

// Reads are coalesced: threads that are neighbours in x read neighbouring floats of `in`.
// The x dimension of the grid covers the columns of `in`, the y dimension its rows.
__global__ void transpose_coalesced_read(const float* in, float* out, int rows, int cols) {
  // TODO: find this thread's row and column, check that they exist, move one element.
}

// Writes are coalesced: threads that are neighbours in x write neighbouring floats of `out`.
// The x dimension of the grid covers the rows of `in`, the y dimension its columns.
__global__ void transpose_coalesced_write(const float* in, float* out, int rows, int cols) {
  // TODO: the same, with the roles of x and y exchanged.
}
