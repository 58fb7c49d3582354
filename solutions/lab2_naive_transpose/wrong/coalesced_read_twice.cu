// verdict: gate write_sectors_per_request
// defect: gate.write_sectors_per_request
// The first kernel is used for the second as well: its writes stride.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y) {
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x) {
      out[c * rows + r] = in[r * cols + c];
    }
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y) {
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x) {
      out[c * rows + r] = in[r * cols + c];  // <--
    }
  }
}
