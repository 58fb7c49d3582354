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
  kStoreSectors = 32,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 32,  // how many wavefronts does a load of a tile's column take?
};

struct Pos {
  int r;
  int c;
  __device__ bool inside(int h, int w) const { return r < h && c < w; }
  __device__ long long offset(int w) const { return (long long)r * w + c; }
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  Pos from = {int(kTile * blockIdx.y + threadIdx.y), int(kTile * blockIdx.x + threadIdx.x)};
  Pos to = {int(kTile * blockIdx.x + threadIdx.y), int(kTile * blockIdx.y + threadIdx.x)};
  if (from.inside(rows, cols)) tile[threadIdx.y][threadIdx.x] = in[from.offset(cols)];
  __syncthreads();
  if (to.inside(cols, rows)) out[to.offset(rows)] = tile[threadIdx.x][threadIdx.y];
}
