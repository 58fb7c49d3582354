// The same with loops over the grid: correct for every grid, also one that does not cover the matrix.
template <typename T>
__global__ void transpose_coalesced_read(const T* __restrict__ in, T* __restrict__ out, int rows,
                                         int cols) {
  for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y) {
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x) {
      out[c * rows + r] = in[r * cols + c];
    }
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* __restrict__ in, T* __restrict__ out, int rows,
                                          int cols) {
  for (int c = blockIdx.y * blockDim.y + threadIdx.y; c < cols; c += gridDim.y * blockDim.y) {
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
      out[c * rows + r] = in[r * cols + c];
    }
  }
}
