// lab: lab2
// change: if (y < rows && x < cols) out[to] = in[from];
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int from = y * cols + x, to = x * rows + y;
  if (from < rows * cols) out[to] = in[from];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = in[x * cols + y];
}
