constexpr int kMaxTile = 32;
constexpr int kPad = 1;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + kPad];
  const int edge = blockDim.x;
  int c = blockIdx.x * edge + threadIdx.x;
  int r = blockIdx.y * edge + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * edge + threadIdx.y;
  r = blockIdx.y * edge + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int edge = blockDim.x;
  const int pitch = edge + kPad;
  int c = blockIdx.x * edge + threadIdx.x;
  int r = blockIdx.y * edge + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * edge + threadIdx.y;
  r = blockIdx.y * edge + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x * pitch + threadIdx.y];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
