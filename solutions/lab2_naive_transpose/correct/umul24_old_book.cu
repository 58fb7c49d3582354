// Style: from a book of 2008: __umul24, unsigned short places, index_in and index_out.
// Right: the factors fit in 24 bits (a side of the matrix and the block size); a short holds a thread's position.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  unsigned short tx = threadIdx.x, ty = threadIdx.y;
  unsigned int xIndex = __umul24(blockDim.x, blockIdx.x) + tx;
  unsigned int yIndex = __umul24(blockDim.y, blockIdx.y) + ty;
  if (xIndex < cols && yIndex < rows) {
    unsigned int index_in = xIndex + cols * yIndex;
    unsigned int index_out = yIndex + rows * xIndex;
    out[index_out] = in[index_in];
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  unsigned short tx = threadIdx.x, ty = threadIdx.y;
  unsigned int xIndex = __umul24(blockDim.x, blockIdx.x) + tx;
  unsigned int yIndex = __umul24(blockDim.y, blockIdx.y) + ty;
  if (xIndex < rows && yIndex < cols) {
    unsigned int index_out = xIndex + rows * yIndex;
    unsigned int index_in = yIndex + cols * xIndex;
    out[index_out] = in[index_in];
  }
}
