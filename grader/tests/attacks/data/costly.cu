// A right transpose for lab 2 that does more at the graded size: an instruction of the kind @WORK@ says, again and again.
// Each is told that it goes on for too long, and soon, whatever the kind costs the host.
__device__ unsigned counters[1 << 16];

template <typename T>
__device__ void waste(T* out, unsigned size) {
  __shared__ unsigned tile[1024];
  volatile double mine[32];
  unsigned u = threadIdx.x + 32 * threadIdx.y + blockIdx.x;
  double d = u + 1.5, e = 1.0000001;
  float f = u;
  unsigned hop = u * 2654435761u;
  mine[u % 32] = d;
  tile[u % 1024] = u;
  for (unsigned turn = 0; turn < 1u << 30; ++turn) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      @WORK@;
    }
  }
  if (u + d + f + hop + e == 0.5) out[0] = T(u);
}

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (rows >= @FROM@) waste(out, rows * cols);
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (rows >= @FROM@) waste(out, rows * cols);
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}
