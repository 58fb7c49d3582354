// verdict: wrong_result
// defect: race.same_element
// blockDim.x and blockDim.y are swapped, which works for square blocks only.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.y + threadIdx.x;
  int r = blockIdx.y * blockDim.x + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];  // <--
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.x * blockDim.y + threadIdx.x;
  int c = blockIdx.y * blockDim.x + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
