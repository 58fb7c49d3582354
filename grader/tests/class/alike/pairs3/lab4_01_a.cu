constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.x + threadIdx.y;
  if (x < cols && y < rows) {
    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  }
  __syncthreads();
  int u = blockIdx.y * blockDim.x + threadIdx.x;
  int v = blockIdx.x * blockDim.x + threadIdx.y;
  if (u < rows && v < cols) {
    out[v * rows + u] = tile[threadIdx.x][threadIdx.y];
  }
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int pitch = blockDim.x + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.x + threadIdx.y;
  if (x < cols && y < rows) {
    tile[threadIdx.y * pitch + threadIdx.x] = in[y * cols + x];
  }
  __syncthreads();
  int u = blockIdx.y * blockDim.x + threadIdx.x;
  int v = blockIdx.x * blockDim.x + threadIdx.y;
  if (u < rows && v < cols) {
    out[v * rows + u] = tile[threadIdx.x * pitch + threadIdx.y];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
