// lab: lab4
// change: int x = blockIdx.x * blockDim.x + threadIdx.x;
// change: int y = blockIdx.y * blockDim.y + threadIdx.y;
// change: x = blockIdx.y * blockDim.y + threadIdx.x;
// change: y = blockIdx.x * blockDim.x + threadIdx.y;
constexpr int kMaxTile = 32;
__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  int x = blockIdx.x * kMaxTile + threadIdx.x;
  int y = blockIdx.y * kMaxTile + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * kMaxTile + threadIdx.x;
  y = blockIdx.x * kMaxTile + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int n = blockDim.x;
  int pitch = n + 1;
  int c = blockIdx.x * n + threadIdx.x;
  int r = blockIdx.y * n + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * n + threadIdx.y;
  r = blockIdx.y * n + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x * pitch + threadIdx.y];
}
