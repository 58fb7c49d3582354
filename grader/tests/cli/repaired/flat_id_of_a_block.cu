// lab: lab2
// change: long long id = y * gridDim.x * blockDim.x + x;
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  // number all threads of the grid, row of threads after row of threads
  long long x = blockIdx.x * blockDim.x + threadIdx.x;
  long long y = blockIdx.y * blockDim.y + threadIdx.y;
  long long id = y * blockDim.x + x;
  if (id >= (long long)rows * cols) return;
  int r = id / cols;
  int c = id % cols;
  out[c * rows + r] = in[id];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
