// lab: lab2
// change: T A = in[N + M * cols];
// change: out[M + N * rows] = A;
enum {
  kStoreSectors = 32,  // with the store of transpose_coalesced_read
  kLoadSectors = 32,   // with the load of transpose_coalesced_write
};

// M is the row, N is the column
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int N = blockIdx.x * blockDim.x + threadIdx.x;
  int M = blockIdx.y * blockDim.y + threadIdx.y;
  if (M < rows && N < cols) {
    T A = in[M + N * rows];
    out[N + M * cols] = A;
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int M = blockIdx.x * blockDim.x + threadIdx.x;
  int N = blockIdx.y * blockDim.y + threadIdx.y;
  if (M < rows && N < cols) {
    T A = in[N + M * cols];
    out[M + N * rows] = A;
  }
}
