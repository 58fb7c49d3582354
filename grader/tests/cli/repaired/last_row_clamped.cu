// lab: lab3
// change: const int from_col = min(blockIdx.x * 32 + threadIdx.x, cols - 1);
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T block[32][33];
  if (rows == 0 || cols == 0) return;
  const int from_row = min(blockIdx.y * 32 + threadIdx.y, rows - 1);
  const int from_col = min(blockIdx.x * 32 + threadIdx.x, cols);
  block[threadIdx.y][threadIdx.x] = in[from_row * cols + from_col];
  __syncthreads();
  const int to_row = blockIdx.x * 32 + threadIdx.y, to_col = blockIdx.y * 32 + threadIdx.x;
  if (to_row < cols && to_col < rows) out[to_row * rows + to_col] = block[threadIdx.x][threadIdx.y];
}
