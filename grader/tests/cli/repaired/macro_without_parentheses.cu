// lab: lab2
// change: #define IDX(r, c, width) ((r) * (width) + (c))
#define IDX(r, c, width) (r * width + c)

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int r0 = blockIdx.y * blockDim.y, c0 = blockIdx.x * blockDim.x;
  if (r0 + threadIdx.y < rows && c0 + threadIdx.x < cols)
    out[IDX(c0 + threadIdx.x, r0 + threadIdx.y, rows)] = in[IDX(r0 + threadIdx.y, c0 + threadIdx.x, cols)];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int r0 = blockIdx.x * blockDim.x, c0 = blockIdx.y * blockDim.y;
  if (r0 + threadIdx.x < rows && c0 + threadIdx.y < cols)
    out[IDX(c0 + threadIdx.y, r0 + threadIdx.x, rows)] = in[IDX(r0 + threadIdx.x, c0 + threadIdx.y, cols)];
}
