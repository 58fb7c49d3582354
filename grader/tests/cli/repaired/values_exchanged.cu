// lab: lab2
// change: const size_t row = GLOBAL_X;
// change: const size_t col = GLOBAL_Y;
#define GLOBAL_X (blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y (blockIdx.y * blockDim.y + threadIdx.y)

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const size_t row = GLOBAL_Y;
  const size_t col = GLOBAL_X;
  const bool inside = row < rows && col < cols;
  if (inside) {
    const T value = in[row * cols + col];
    out[col * rows + row] = value;
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const size_t row = GLOBAL_Y;
  const size_t col = GLOBAL_X;
  const bool inside = row < rows && col < cols;
  if (inside) {
    const T value = in[row * cols + col];
    out[col * rows + row] = value;
  }
}
