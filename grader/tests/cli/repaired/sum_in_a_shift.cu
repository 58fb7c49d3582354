// lab: lab3
// change: if (x < cols && y < rows) tile[(ty << 5) + tx] = in[y * cols + x];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile * kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  if (x < cols && y < rows) tile[ty << 5 + tx] = in[y * cols + x];
  __syncthreads();
  const int u = blockIdx.y * kTile + tx, v = blockIdx.x * kTile + ty;
  if (u < rows && v < cols) out[v * rows + u] = tile[(tx << 5) + ty];
}
