// Lab 4: the corner turning of lab 3, without bank conflicts.
//
// `in` has `rows` rows of `cols` floats; out[c * rows + r] = in[r * cols + c]. Blocks are square,
// blockDim.x == blockDim.y <= 32, one element a thread, and block (blockIdx.x, blockIdx.y) takes
// the tile of `in` whose top left corner is at row blockDim.x * blockIdx.y, column blockDim.x *
// blockIdx.x. Both kernels must be right for every such block; they are graded for speed with 32 x
// 32 threads.
constexpr int kMaxTile = 32;

// Predict first (no points), a number in place of each 0.
// The wavefronts of a warp's access to the tile, in your transpose_static:
enum {
  kLoadWavefronts = 0,   // a load from it
  kStoreWavefronts = 0,  // a store to it
};

// The tile is an array of fixed size, large enough for every block: use its first blockDim.x rows
// and columns.
__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  // TODO: copy your kernel of lab 3. Replace T by float, kTile by kMaxTile in the tile's declaration,
  // and kTile by blockDim.x everywhere else. Then give the tile one column more.
}

// The tile is as large as the block needs: the launch passes dynamic shared memory for blockDim.x
// rows of blockDim.x + 1 floats.
__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  // TODO: the same. This tile has one index: its element (y, x) is tile[y * pitch + x], where y and x
  // count within the tile, and pitch is the length of a row with its unused column.
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads
// transposes the tile of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional): let every thread move several elements, with all its loads under way before
  // the first store.
}
