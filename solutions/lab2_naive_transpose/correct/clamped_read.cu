// Style: reads at clamped indices without a branch, only the store has a guard.
// Right: clamped indices lie in the matrix (an empty one returns at once); a few threads read twice at the edge.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  if (rows <= 0 || cols <= 0) return;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const T v = in[min(r, rows - 1) * cols + min(c, cols - 1)];
  if (r < rows && c < cols) out[c * rows + r] = v;
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  if (rows <= 0 || cols <= 0) return;
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = blockIdx.y * blockDim.y + threadIdx.y;
  const T v = in[min(r, rows - 1) * cols + min(c, cols - 1)];
  if (r < rows && c < cols) out[c * rows + r] = v;
}
