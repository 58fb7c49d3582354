// lab: lab4
// change: const int out_r = blockIdx.x * n + threadIdx.y, out_c = blockIdx.y * n + threadIdx.x; if (out_c < rows && out_r < cols) out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
// why: change_turned_place
constexpr int kMaxTile = 32;
__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  int n = blockDim.x;
  int c = blockIdx.x * n + threadIdx.x;
  int r = blockIdx.y * n + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * n + threadIdx.x;
  r = blockIdx.y * n + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.y][threadIdx.x];
}
__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int n = blockDim.x;
  int c = blockIdx.x * n + threadIdx.x;
  int r = blockIdx.y * n + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * (n + 1) + threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * n + threadIdx.y;
  r = blockIdx.y * n + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x * (n + 1) + threadIdx.y];
}
