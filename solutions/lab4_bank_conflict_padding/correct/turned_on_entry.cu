// The same padding, but transposed on the write: what matters is that consecutive elements
// of a column are 33 apart. Without the bonus kernel, which is optional.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.x][threadIdx.y] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.y][threadIdx.x];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x + 1;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.x * pitch + threadIdx.y] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows)
    out[out_r * rows + out_c] = tile[threadIdx.y * pitch + threadIdx.x];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
