// lab: lab3
// change: T* to = out + left * rows + top;
// change: if (top + tx < rows && left + ty < cols) to[ty * rows + tx] = tile[tx][ty];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const T* from = in + top * cols + left;
  T* to = out + left * cols + top;
  if (top + ty < rows && left + tx < cols) tile[ty][tx] = from[ty * cols + tx];
  __syncthreads();
  if (top + tx < rows && left + ty < cols) to[ty * cols + tx] = tile[tx][ty];
}
