constexpr int kMaxTile = 32;

// row r of the tile is rotated to the right by r places
__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int edge = blockDim.x;

  int row = blockIdx.y * edge + ty;
  int col = blockIdx.x * edge + tx;
  if (row < rows && col < cols) {
    tile[ty][(tx + ty) % kMaxTile] = in[row * cols + col];
  }

  __syncthreads();

  row = blockIdx.y * edge + tx;
  col = blockIdx.x * edge + ty;
  if (row < rows && col < cols) {
    out[col * rows + row] = tile[tx][(ty + tx) % kMaxTile];
  }
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int edge = blockDim.x;

  int row = blockIdx.y * edge + ty;
  int col = blockIdx.x * edge + tx;
  if (row < rows && col < cols) {
    tile[ty * (edge + 1) + tx] = in[row * cols + col];
  }

  __syncthreads();

  row = blockIdx.y * edge + tx;
  col = blockIdx.x * edge + ty;
  if (row < rows && col < cols) {
    out[col * rows + row] = tile[tx * (edge + 1) + ty];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
