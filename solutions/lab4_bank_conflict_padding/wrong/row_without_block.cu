// verdict: uninitialized
// defect: uninitialized.shared
// The row uses blockDim.y alone instead of blockIdx.y times blockDim.y.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + x, row = blockIdx.y * blockDim.y + y;
  if (row < rows && col < cols) tile[y][x] = in[row * cols + col];
  __syncthreads();
  const int ocol = blockIdx.y * blockDim.y + x, orow = blockIdx.x * blockDim.x + y;
  if (orow < cols && ocol < rows) out[orow * rows + ocol] = tile[x][y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int x = threadIdx.x, y = threadIdx.y, pitch = blockDim.x + 1;
  const int col = blockIdx.x * blockDim.x + x, row = blockDim.y + y;
  if (row < rows && col < cols) tile[y * pitch + x] = in[row * cols + col];
  __syncthreads();
  const int ocol = blockIdx.y * blockDim.y + x, orow = blockIdx.x * blockDim.x + y;
  if (orow < cols && ocol < rows) out[orow * rows + ocol] = tile[x * pitch + y];  // <--
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
