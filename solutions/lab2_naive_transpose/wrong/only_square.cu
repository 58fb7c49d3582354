// verdict: out_of_bounds
// class: only square
// defect: out_of_bounds.wrong_row_length
// Both sides use `cols` as the row length: correct for square matrices only.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * cols + r] = in[r * cols + c];  // <--
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * cols + r] = in[r * cols + c];
}
