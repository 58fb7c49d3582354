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

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// For floats:
enum {
  kStoreSectors = 4,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 32,  // how many wavefronts does a load of a tile's column take?
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];

  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;

  // load one element per thread
  if (row < rows) {
    if (col < cols) {
      tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    }
  }

  __syncthreads();

  // block position is mirrored in the output
  int outRow = blockIdx.x * blockDim.x + threadIdx.y;
  int outCol = blockIdx.y * blockDim.y + threadIdx.x;
  if (outRow < cols) {
    if (outCol < rows) {
      out[outRow * rows + outCol] = tile[threadIdx.x][threadIdx.y];
    }
  }
}
