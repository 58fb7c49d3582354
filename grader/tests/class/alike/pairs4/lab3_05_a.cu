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

// Reads the tile at (r0, c0) of a rows x cols matrix.
template <typename T>
__device__ void loadTile(T (*tile)[kTile], const T* in, int r0, int c0, int rows, int cols) {
  int r = r0 + threadIdx.y;
  int c = c0 + threadIdx.x;
  if (r >= rows || c >= cols) return;
  tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
}

// Writes the tile, turned, at (r0, c0) of a matrix of h x w.
template <typename T>
__device__ void storeTurned(T (*tile)[kTile], T* out, int r0, int c0, int h, int w) {
  int r = r0 + threadIdx.y;
  int c = c0 + threadIdx.x;
  if (r >= h || c >= w) return;
  out[r * w + c] = tile[threadIdx.x][threadIdx.y];
}

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  loadTile(tile, in, blockIdx.y * kTile, blockIdx.x * kTile, rows, cols);
  __syncthreads();
  storeTurned(tile, out, blockIdx.x * kTile, blockIdx.y * kTile, cols, rows);
}
