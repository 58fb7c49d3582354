// Style: each thread has a number in the whole grid; / and % by the matrix' width give row and column.
// Right: the grid has at least rows*cols threads; lanes have neighbouring numbers, along the side to be coalesced.
__device__ unsigned long long number_in_grid() {
  unsigned long long block = (unsigned long long)blockIdx.y * gridDim.x + blockIdx.x;
  return block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
}

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const unsigned long long k = number_in_grid();
  if (k >= (unsigned long long)rows * cols) return;
  const int r = (int)k / cols, c = (int)k % cols;
  out[c * rows + r] = in[k];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const unsigned long long k = number_in_grid();
  if (k >= (unsigned long long)rows * cols) return;
  const int c = (int)k / rows, r = (int)k % rows;
  out[k] = in[r * cols + c];
}
