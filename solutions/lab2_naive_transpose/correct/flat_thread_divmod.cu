// Style: a flattened index of the thread in its block, taken apart again by division and modulo.
// Right: tid % blockDim.x is threadIdx.x, so that lanes are neighbours along x as before.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + tid / blockDim.x;
  const int j = blockIdx.x * blockDim.x + tid % blockDim.x;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + tid / blockDim.x;
  const int i = blockIdx.x * blockDim.x + tid % blockDim.x;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}
