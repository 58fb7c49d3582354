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
__device__ void load_tile(T (&tile)[kTile][kTile], const T* in, int rows, int cols) {
  int r = blockIdx.y * kTile + threadIdx.y;
  int c = blockIdx.x * kTile + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
}

template <typename T>
__device__ void store_tile(T (&tile)[kTile][kTile], T* out, int rows, int cols) {
  int c = blockIdx.x * kTile + threadIdx.y;  // the row in out
  int r = blockIdx.y * kTile + threadIdx.x;
  if (c < cols && r < rows) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  load_tile(tile, in, rows, cols);
  __syncthreads();
  store_tile(tile, out, rows, cols);
}
