// lab: lab2
// change: if (outCol >= rows || outRow >= cols) return;
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const int outCol = blockDim.x * blockIdx.x + threadIdx.x;
  const int outRow = blockDim.y * blockIdx.y + threadIdx.y;
  if (outCol >= rows && outRow >= cols) return;
  const T value = in[outCol * cols + outRow];
  out[outRow * rows + outCol] = value;
}
