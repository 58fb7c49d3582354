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
  // local coordinates of the thread
  const int v = threadIdx.y;
  const int u = threadIdx.x;

  // the destination and the source of the whole tile
  T* dest = out + kTile * (blockIdx.y + rows * blockIdx.x);
  const T* src = in + kTile * (blockIdx.x + cols * blockIdx.y);

  // remaining width and height
  const int restw = cols - kTile * (int)blockIdx.x;
  const int resth = rows - kTile * (int)blockIdx.y;

  __shared__ T cache[kTile][kTile];
  if (restw > u && resth > v) {
    cache[v][u] = src[u + v * cols];
  }
  __syncthreads();
  if (resth > u && restw > v) {
    dest[u + v * rows] = cache[u][v];
  }
}
