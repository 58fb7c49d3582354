// lab: lab2
// change: if (c < cols && r < rows) out[c * rows + r] = in[r * cols + c];
// Lab 2: two naive transposes, without shared memory.
//
// `in` has `rows` rows of `cols` elements each, row after row; `out` is its transpose, with `cols`
// rows of `rows` elements: out[c * rows + r] = in[r * cols + c] for every row r and column c. T is
// float or double. Each thread moves one element.
//
// The block has two dimensions, of any size. The grid is the smallest that covers the matrix; which
// of its dimensions runs over the rows and which over the columns is said at each kernel.

// Reads are coalesced: threads that are neighbours in x read neighbouring elements of `in`. The x
// dimension of the grid covers the columns of `in`, the y dimension its rows.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < cols && r < rows) out[c * cols + r] = in[r * cols + c];
}

// Writes are coalesced: threads that are neighbours in x write neighbouring elements of `out`. The
// x dimension of the grid covers the rows of `in`, the y dimension its columns.
template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  // TODO: the same, with the roles of x and y exchanged.
}
