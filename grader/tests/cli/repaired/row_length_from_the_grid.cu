// lab: lab2
// change: int width = cols;
// adapted from the NVIDIA blog
template <typename T>
__global__ void transpose_coalesced_read(const T* idata, T* odata, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int width = gridDim.x * blockDim.x;
  if (x < cols && y < rows)
    odata[x * rows + y] = idata[y * width + x];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
