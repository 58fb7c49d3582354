// Style: one function for the whole body, not inlined, that both kernels call.
// Right: the function has the bounds check; the call swaps x and y.
template <typename T>
__device__ __noinline__ void move_element(const T* in, T* out, int rows, int cols, int r, int c) {
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  move_element(in, out, rows, cols, blockIdx.y * blockDim.y + threadIdx.y,
               blockIdx.x * blockDim.x + threadIdx.x);
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  move_element(in, out, rows, cols, blockIdx.x * blockDim.x + threadIdx.x,
               blockIdx.y * blockDim.y + threadIdx.y);
}
