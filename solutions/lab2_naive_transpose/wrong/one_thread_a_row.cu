// verdict: gate read_sectors
// defect: gate.read_sectors
// Only the first thread of each row of the block works, one element after another: correct, but with one load in
// flight.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int first = blockIdx.x * blockDim.x;
  if (threadIdx.x != 0 || r >= rows) return;
  for (int c = first; c < first + blockDim.x && c < cols; ++c)
    out[c * rows + r] = in[r * cols + c];  // <--
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  int first = blockIdx.x * blockDim.x;
  if (threadIdx.x != 0 || c >= cols) return;
  for (int r = first; r < first + blockDim.x && r < rows; ++r) out[c * rows + r] = in[r * cols + c];
}
