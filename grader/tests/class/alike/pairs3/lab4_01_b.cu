// transpose without conflicts
constexpr int kMaxTile = 32;
#define PITCH (kMaxTile + 1)

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float buf[kMaxTile][PITCH];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int bx = blockIdx.x * blockDim.x;
  const int by = blockIdx.y * blockDim.x;

  int srcRow = ty + by;
  int srcCol = tx + bx;
  if (srcRow < rows && srcCol < cols) {
    buf[ty][tx] = in[srcCol + cols * srcRow];
  }
  __syncthreads();

  int dstRow = ty + bx;
  int dstCol = tx + by;
  if (dstRow >= cols || dstCol >= rows) return;
  out[dstCol + rows * dstRow] = buf[tx][ty];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int bx = blockIdx.x * blockDim.x;
  const int by = blockIdx.y * blockDim.x;
  const int width = 1 + blockDim.x;

  int srcRow = ty + by;
  int srcCol = tx + bx;
  if (srcRow < rows && srcCol < cols) {
    tile[tx + width * ty] = in[srcCol + cols * srcRow];
  }
  __syncthreads();

  int dstRow = ty + bx;
  int dstCol = tx + by;
  if (dstRow >= cols || dstCol >= rows) return;
  out[dstCol + rows * dstRow] = tile[ty + width * tx];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
