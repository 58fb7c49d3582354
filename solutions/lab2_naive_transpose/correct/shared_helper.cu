// One device function for both, with 64-bit indices: a matrix of more than 2^31 elements would not
// fit an int.
template <typename T>
__device__ void move(const T* in, T* out, int rows, int cols, int r, int c) {
  if (r >= rows || c >= cols) return;
  out[static_cast<size_t>(c) * rows + r] = in[static_cast<size_t>(r) * cols + c];
}

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  move(in, out, rows, cols, blockIdx.y * blockDim.y + threadIdx.y,
       blockIdx.x * blockDim.x + threadIdx.x);
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  move(in, out, rows, cols, blockIdx.x * blockDim.x + threadIdx.x,
       blockIdx.y * blockDim.y + threadIdx.y);
}
