// Style: clamped indices and no guard at all: threads past the edge repeat the edge.
// Right result: whoever repeats writes the same element's value to the same place.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  if (rows < 1 || cols < 1) return;
  const int c = min((int)(blockIdx.x * blockDim.x + threadIdx.x), cols - 1);
  const int r = min((int)(blockIdx.y * blockDim.y + threadIdx.y), rows - 1);
  out[c * rows + r] = in[r * cols + c];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  if (rows < 1 || cols < 1) return;
  const int r = min((int)(blockIdx.x * blockDim.x + threadIdx.x), rows - 1);
  const int c = min((int)(blockIdx.y * blockDim.y + threadIdx.y), cols - 1);
  out[c * rows + r] = in[r * cols + c];
}
