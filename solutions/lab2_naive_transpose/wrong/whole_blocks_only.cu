// verdict: wrong_result
// class: only multiples of 32
// defect: wrong_result.multiples
// A block that extends past the edge does nothing.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  if ((blockIdx.x + 1) * blockDim.x > cols || (blockIdx.y + 1) * blockDim.y > rows) return;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  if ((blockIdx.x + 1) * blockDim.x > rows || (blockIdx.y + 1) * blockDim.y > cols) return;
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
