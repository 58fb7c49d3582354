// lab: lab4
// change: tile[i][(j - i + kMaxTile) % kMaxTile] = in[r * cols + c];
// change: out[c * rows + r] = tile[j][(i - j + kMaxTile) % kMaxTile];
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  int d = blockDim.x;
  int i = threadIdx.y;
  int j = threadIdx.x;
  int r = blockIdx.y * d + i;
  int c = blockIdx.x * d + j;
  if (r < rows and c < cols) {
    tile[i][(j - i) % kMaxTile] = in[r * cols + c];
  }
  __syncthreads();
  r = blockIdx.y * d + j;
  c = blockIdx.x * d + i;
  if (r < rows and c < cols) {
    out[c * rows + r] = tile[j][(i - j) % kMaxTile];
  }
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int d = blockDim.x;
  int i = threadIdx.y;
  int j = threadIdx.x;
  int r = blockIdx.y * d + i;
  int c = blockIdx.x * d + j;
  if (r < rows and c < cols) {
    tile[i * (d + 1) + j] = in[r * cols + c];
  }
  __syncthreads();
  r = blockIdx.y * d + j;
  c = blockIdx.x * d + i;
  if (r < rows and c < cols) {
    out[c * rows + r] = tile[j * (d + 1) + i];
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
