constexpr int kMaxTile = 32;

// Word of element (row, col): each row is turned by one place more than the row above it.
__device__ inline int word_of(int row, int col) {
  return row * kMaxTile + ((row + col) & (kMaxTile - 1));
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile * kMaxTile];
  const int first_row = blockDim.x * blockIdx.y, first_col = blockDim.x * blockIdx.x;
  {
    const int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
    if (row < rows && col < cols) tile[word_of(threadIdx.y, threadIdx.x)] = in[row * cols + col];
  }
  __syncthreads();
  {
    const int row = first_row + threadIdx.x, col = first_col + threadIdx.y;
    if (row < rows && col < cols) out[col * rows + row] = tile[word_of(threadIdx.x, threadIdx.y)];
  }
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int first_row = blockDim.x * blockIdx.y, first_col = blockDim.x * blockIdx.x;
  const int down = blockDim.x + 1;
  {
    const int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y * down + threadIdx.x] = in[row * cols + col];
  }
  __syncthreads();
  {
    const int row = first_row + threadIdx.x, col = first_col + threadIdx.y;
    if (row < rows && col < cols) out[col * rows + row] = tile[threadIdx.x * down + threadIdx.y];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // later
}
