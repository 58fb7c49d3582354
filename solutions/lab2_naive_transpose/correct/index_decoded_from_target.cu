// Style: the linear target (or source) index is taken first, and the other side comes from / and %.
// Right: the linear index is x fastest of the thread's own place, and the same element as in the plain kernel.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  unsigned s = y * cols + x;
  unsigned d = (s % cols) * rows + s / cols;
  out[d] = in[s];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= rows || y >= cols) return;
  unsigned d = y * rows + x;
  unsigned s = (d % rows) * cols + d / rows;
  out[d] = in[s];
}
