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
  // 1: the tile is stored already transposed, so that the write below reads it by rows
  __shared__ T tile[kTile][kTile];

  // 2
  {
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows && x < cols) tile[threadIdx.x][threadIdx.y] = in[y * cols + x];
  }

  // 3
  __syncthreads();

  // 4
  {
    int y = blockIdx.x * blockDim.x + threadIdx.y;
    int x = blockIdx.y * blockDim.y + threadIdx.x;
    if (y < cols && x < rows) out[y * rows + x] = tile[threadIdx.y][threadIdx.x];
  }
}
