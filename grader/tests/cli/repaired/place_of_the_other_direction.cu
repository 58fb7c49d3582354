// lab: lab2
// change: const int row = blockIdx.y * blockDim.y + threadIdx.y;
// Lab 2: naive transposes

enum {
  kStoreSectors = 32,
  kLoadSectors = 32,
};

// I need this four times, so it gets a function: the position in the grid, of a thread in a block.
__device__ int position(int block, int thread) { return block * blockDim.x + thread; }

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const int col = position(blockIdx.x, threadIdx.x);
  const int row = position(blockIdx.y, threadIdx.y);
  if (row < rows && col < cols) {
    out[col * rows + row] = in[row * cols + col];
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  // x and y change places
  const int row = position(blockIdx.x, threadIdx.x);
  const int col = position(blockIdx.y, threadIdx.y);
  if (row < rows && col < cols) {
    out[col * rows + row] = in[row * cols + col];
  }
}
