// lab: lab3
// change: } __syncthreads(); const int out_c = blockIdx.y * kTile + threadIdx.x, out_r = blockIdx.x * kTile + threadIdx.y; if (out_c < rows && out_r < cols) {
// change: out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
// why: change_turned_place
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

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// For floats:
enum {
  kStoreSectors = 4,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 1,  // in how many wavefronts is a column of the tile loaded? Each takes one
                          // word from each of 32 banks; the 4-byte word w is in bank w % 32
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int r = blockIdx.y * kTile + threadIdx.y;
  int c = blockIdx.x * kTile + threadIdx.x;
  if (r < rows && c < cols) {
    tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
  }
  // TODO 1: declare the tile, shared by the threads of the block: __shared__ T tile[kTile][kTile];
  // TODO 2: fill it from `in`, neighbours in threadIdx.x reading neighbours in memory. Mind the
  // edges of the matrix.
  // TODO 3: wait until the whole block has done so: __syncthreads();
  // TODO 4: store it to `out`, neighbours in threadIdx.x writing neighbours in memory. For that, swap
  // the block indices, but not the thread indices: swap those in the tile. Mind the edges of `out`.
}
