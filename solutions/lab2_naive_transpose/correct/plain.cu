// One side of a naive transpose can be coalesced; the other then strides. A warp's threads are
// neighbours in x: the side that x runs along is coalesced. Strided loads are cheaper: the sectors
// they fetch stay in the L1 cache until the next rows of threads use the rest of them, while every
// strided store sends a whole sector for 4 bytes.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
