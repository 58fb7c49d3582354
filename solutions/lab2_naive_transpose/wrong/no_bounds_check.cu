// verdict: out_of_bounds
// defect: out_of_bounds.tail
// Blocks at the edge extend past the matrix, and there is no bounds check.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  out[c * rows + r] = in[r * cols + c];  // <--
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  out[c * rows + r] = in[r * cols + c];
}
