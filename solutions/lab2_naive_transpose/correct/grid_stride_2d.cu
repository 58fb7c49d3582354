// Style: two-dimensional grid-stride loops, __ldg, __launch_bounds__.
// Right: the grid covers the matrix, so that each loop has one iteration; steps are whole grids.
template <typename T>
__global__ void __launch_bounds__(1024)
    transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y)
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x)
      out[c * rows + r] = __ldg(&in[r * cols + c]);
}

template <typename T>
__global__ void __launch_bounds__(1024)
    transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  for (int c = blockIdx.y * blockDim.y + threadIdx.y; c < cols; c += gridDim.y * blockDim.y)
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x)
      out[c * rows + r] = __ldg(&in[r * cols + c]);
}
