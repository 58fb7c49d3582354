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

  // Where this block starts
  int rowStart = 32 * blockIdx.y;
  int colStart = 32 * blockIdx.x;

  // Read one element
  int readRow = rowStart + threadIdx.y;
  int readCol = colStart + threadIdx.x;
  if (readRow < rows && readCol < cols) {
    int readIndex = readRow * cols + readCol;
    tile[threadIdx.y][threadIdx.x] = in[readIndex];
  }

  __syncthreads();

  // Write one element (another one)
  int writeRow = colStart + threadIdx.y;
  int writeCol = rowStart + threadIdx.x;
  if (writeRow < cols && writeCol < rows) {
    int writeIndex = writeRow * rows + writeCol;
    out[writeIndex] = tile[threadIdx.x][threadIdx.y];
  }
}
