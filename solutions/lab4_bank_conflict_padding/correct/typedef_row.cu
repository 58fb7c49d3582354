// Style: a typedef for a padded row, and plain row/column names as in a linear algebra course.
// Right: a row has 33 words, so both a row and a column of the tile fall into 32 different banks.
constexpr int kMaxTile = 32;

typedef float Row[kMaxTile + 1];

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ Row tile[kMaxTile];

  const int i = blockIdx.y * blockDim.x + threadIdx.y;  // row of in
  const int j = blockIdx.x * blockDim.x + threadIdx.x;  // column of in
  if (i < rows && j < cols) tile[threadIdx.y][threadIdx.x] = in[i * cols + j];

  __syncthreads();

  const int i2 = blockIdx.x * blockDim.x + threadIdx.y;  // row of out
  const int j2 = blockIdx.y * blockDim.x + threadIdx.x;  // column of out
  if (i2 < cols && j2 < rows) out[i2 * rows + j2] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x + 1;

  const int i = blockIdx.y * blockDim.x + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows && j < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[i * cols + j];

  __syncthreads();

  const int i2 = blockIdx.x * blockDim.x + threadIdx.y;
  const int j2 = blockIdx.y * blockDim.x + threadIdx.x;
  if (i2 < cols && j2 < rows) out[i2 * rows + j2] = tile[threadIdx.x * pitch + threadIdx.y];
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
