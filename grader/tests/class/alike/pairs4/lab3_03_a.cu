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
  // TODO 1
  __shared__ T tile[kTile][kTile];
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;

  // TODO 2: (zeros beyond the edge so no garbage sits in the tile)
  const unsigned gx = blockIdx.x * kTile + tx;
  const unsigned gy = blockIdx.y * kTile + ty;
  const bool canRead = gx < (unsigned)cols && gy < (unsigned)rows;
  tile[ty][tx] = canRead ? in[gy * cols + gx] : T(0);

  // TODO 3
  __syncthreads();

  // TODO 4
  const unsigned hx = blockIdx.y * kTile + tx;
  const unsigned hy = blockIdx.x * kTile + ty;
  const bool canWrite = hx < (unsigned)rows && hy < (unsigned)cols;
  if (canWrite) out[hy * rows + hx] = tile[tx][ty];
}
