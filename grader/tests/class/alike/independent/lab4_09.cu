constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * blockDim.x;
  const int col0 = blockIdx.x * blockDim.x;

  if (row0 + ty < rows && col0 + tx < cols) {
    tile[ty][tx ^ ty] = in[(row0 + ty) * cols + (col0 + tx)];
  }
  __syncthreads();
  if (col0 + ty < cols && row0 + tx < rows) {
    out[(col0 + ty) * rows + (row0 + tx)] = tile[tx][ty ^ tx];
  }
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int pitch = blockDim.x + 1;
  const int row0 = blockIdx.y * blockDim.x;
  const int col0 = blockIdx.x * blockDim.x;

  float* mine = tile + ty * pitch + tx;
  const float* other = tile + tx * pitch + ty;
  if (row0 + ty < rows && col0 + tx < cols) {
    *mine = in[(row0 + ty) * cols + (col0 + tx)];
  }
  __syncthreads();
  if (col0 + ty < cols && row0 + tx < rows) {
    out[(col0 + ty) * rows + (row0 + tx)] = *other;
  }
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
