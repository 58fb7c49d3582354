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
  // xor swizzle instead of padding: element (i, j) sits in column j ^ i
  __shared__ T tile[kTile][kTile];
  unsigned x = threadIdx.x;
  unsigned y = threadIdx.y;
  unsigned R = rows, C = cols;

  unsigned r = blockIdx.y * kTile + y;
  unsigned c = blockIdx.x * kTile + x;
  if (c < C && r < R) tile[y][x ^ y] = in[r * C + c];
  __syncthreads();

  r = r - y + x;
  c = c - x + y;
  if (c < C && r < R) out[c * R + r] = tile[x][x ^ y];
}
