// lab: lab2
// change: int r = blockIdx.y * blockDim.y + threadIdx.y;
// change: int c = blockIdx.x * blockDim.x + threadIdx.x;
// Lab 2: two naive transposes, without shared memory.
//
// `in` has `rows` rows of `cols` elements each, row after row; `out` is its transpose, with `cols`
// rows of `rows` elements: out[c * rows + r] = in[r * cols + c] for every row r and column c. T is
// float or double. Each thread moves one element.
//
// The block has two dimensions, of any size. The grid is the smallest that covers the matrix; which
// of its dimensions runs over the rows and which over the columns is said at each kernel.

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a warp touches, for floats:
enum {
  kStoreSectors = 32,  // with the store of transpose_coalesced_read
  kLoadSectors = 32,   // with the load of transpose_coalesced_write
};

// Reads are coalesced: threads that are neighbours in x read neighbouring elements of `in`. The x
// dimension of the grid covers the columns of `in`, the y dimension its rows.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) {
    out[c * rows + r] = in[r * cols + c];
  }
}

// Writes are coalesced: threads that are neighbours in x write neighbouring elements of `out`. The
// x dimension of the grid covers the rows of `in`, the y dimension its columns.
template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  // TODO: the same, but here x gives the row of `in`, and y its column.
}
