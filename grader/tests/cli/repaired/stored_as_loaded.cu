// lab: lab3
// change: const bool is_inside = top + tx < rows && left + ty < cols;
// change: if (is_inside) out[(left + ty) * rows + top + tx] = tile[tx][ty];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  if (top + ty < rows && left + tx < cols) tile[ty][tx] = in[(top + ty) * cols + left + tx];
  __syncthreads();
  const bool is_inside = top + ty < rows && left + tx < cols;
  if (is_inside) out[(left + tx) * rows + top + ty] = tile[ty][tx];
}
