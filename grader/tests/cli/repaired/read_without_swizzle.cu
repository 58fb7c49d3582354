// lab: lab4
// change: if (ox < rows && oy < cols) out[oy * rows + ox] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[y * cols + x];
  __syncthreads();
  int ox = blockIdx.y * blockDim.y + threadIdx.x;
  int oy = blockIdx.x * blockDim.x + threadIdx.y;
  if (ox < rows && oy < cols) out[oy * rows + ox] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int w = blockDim.x + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y * w + threadIdx.x] = in[y * cols + x];
  __syncthreads();
  int ox = blockIdx.y * blockDim.y + threadIdx.x;
  int oy = blockIdx.x * blockDim.x + threadIdx.y;
  if (ox < rows && oy < cols) out[oy * rows + ox] = tile[threadIdx.x * w + threadIdx.y];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional): let every thread move several elements, with all its loads under way before
  // the first store.
}
