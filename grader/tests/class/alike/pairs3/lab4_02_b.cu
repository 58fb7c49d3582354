constexpr int kMaxTile = 32;
constexpr int kExtra = 1;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  const int side = blockDim.x;
  __shared__ float s[kMaxTile][kExtra + kMaxTile];
  int row = threadIdx.y + side * blockIdx.y;
  int col = threadIdx.x + side * blockIdx.x;
  if (col < cols) {
    if (row < rows) s[threadIdx.y][threadIdx.x] = in[col + row * cols];
  }
  __syncthreads();
  row = threadIdx.x + side * blockIdx.y;
  col = threadIdx.y + side * blockIdx.x;
  if (col < cols) {
    if (row < rows) out[row + col * rows] = s[threadIdx.x][threadIdx.y];
  }
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int side = blockDim.x;
  int row = threadIdx.y + side * blockIdx.y;
  int col = threadIdx.x + side * blockIdx.x;
  const int stride = side + kExtra;
  float* put = tile + threadIdx.y * stride;
  float* get = tile + threadIdx.x * stride;
  if (col < cols) {
    if (row < rows) put[threadIdx.x] = in[col + row * cols];
  }
  __syncthreads();
  row = threadIdx.x + side * blockIdx.y;
  col = threadIdx.y + side * blockIdx.x;
  if (col < cols) {
    if (row < rows) out[row + col * rows] = get[threadIdx.y];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
