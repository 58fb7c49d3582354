// lab: lab2
// change: int col = blockIdx.y * blockDim.y + threadIdx.y;
// change: int row = blockIdx.x * blockDim.x + threadIdx.x;
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < cols && row < rows) out[col * rows + row] = in[row * cols + col];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  // as above
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < cols && row < rows) out[col * rows + row] = in[row * cols + col];
}
