// Of solutions/lab3_corner_turning/correct/flat_tile.cu
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  const int left = 32 * blockIdx.x;
  const int top = 32 * blockIdx.y;
  const int j = threadIdx.y;
  const int i = threadIdx.x;
  __shared__ T buffer[1024];
  if (cols > left + i && rows > top + j) buffer[i + j * 32] = in[left + i + cols * (top + j)];
  __syncthreads();
  if (rows > top + i && cols > left + j) out[top + i + rows * (left + j)] = buffer[j + i * 32];
}
