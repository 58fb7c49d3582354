// verdict: gate read_sectors
// defect: gate.read_sectors
// One thread of each block does the work of all: correct, but only one thread in a thousand is active.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  for (int y = 0; y < blockDim.y; ++y) {
    for (int x = 0; x < blockDim.x; ++x) {
      int c = blockIdx.x * blockDim.x + x;
      int r = blockIdx.y * blockDim.y + y;
      if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];  // <--
    }
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  for (int y = 0; y < blockDim.y; ++y) {
    for (int x = 0; x < blockDim.x; ++x) {
      int r = blockIdx.x * blockDim.x + x;
      int c = blockIdx.y * blockDim.y + y;
      if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
    }
  }
}
