// lab: lab2
// change: if (row >= rows) return;
// change: if (col >= cols) return;
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (col >= cols) return;
  int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (row >= rows) return;
  out += col * rows;
  in += row * cols;
  out[row] = in[col];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row > rows) return;
  int col = threadIdx.y + blockIdx.y * blockDim.y;
  if (col > cols) return;
  out += col * rows;
  in += row * cols;
  out[row] = in[col];
}
