constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int n = blockDim.x;
  const int r = n * blockIdx.y + threadIdx.y;
  const int c = n * blockIdx.x + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  const int r2 = n * blockIdx.x + threadIdx.y;
  const int c2 = n * blockIdx.y + threadIdx.x;
  if (r2 < cols && c2 < rows) out[r2 * rows + c2] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int n = blockDim.x;
  const int pitch = n + 1;
  const int r = n * blockIdx.y + threadIdx.y;
  const int c = n * blockIdx.x + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();
  const int r2 = n * blockIdx.x + threadIdx.y;
  const int c2 = n * blockIdx.y + threadIdx.x;
  if (r2 < cols && c2 < rows) out[r2 * rows + c2] = tile[threadIdx.x * pitch + threadIdx.y];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
