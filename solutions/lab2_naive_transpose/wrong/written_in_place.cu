// verdict: wrong_result
// defect: wrong_result.input_written
// says: At line 14 the kernel wrote to `in`, which is an input, and never to `out`
// never: What does your index take the block to be like
// Transposed in shared memory, but stored back into the input.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[32][33];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  T* back = const_cast<T*>(in);
  if (r < rows && c < cols) back[c * rows + r] = tile[threadIdx.y][threadIdx.x];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
