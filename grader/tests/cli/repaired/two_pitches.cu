// lab: lab4
// change: tile[ty * (blockDim.x + 1) + tx] = in[y * cols + x];
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  int b = blockDim.x;
  int x = blockIdx.x * b + threadIdx.x;
  int y = blockIdx.y * b + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * b + threadIdx.x;
  y = blockIdx.x * b + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * blockDim.x + tx;
  int y = blockIdx.y * blockDim.y + ty;
  if (x < cols && y < rows) {
    tile[ty * blockDim.x + tx] = in[y * cols + x];
  }
  __syncthreads();
  int x2 = blockIdx.y * blockDim.y + tx;
  int y2 = blockIdx.x * blockDim.x + ty;
  if (x2 < rows && y2 < cols) {
    out[y2 * rows + x2] = tile[tx * (blockDim.x + 1) + ty];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional)
}

