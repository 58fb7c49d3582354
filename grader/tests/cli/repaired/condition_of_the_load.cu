// lab: lab3
// change: if (oy < cols && ox < rows) out[oy * rows + ox] = tile[tx][ty];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * kTile + tx;
  int y = blockIdx.y * kTile + ty;
  bool inside = x < cols && y < rows;
  if (inside) tile[ty][tx] = in[y * cols + x];
  __syncthreads();
  int ox = blockIdx.y * kTile + tx;
  int oy = blockIdx.x * kTile + ty;
  if (inside) out[oy * rows + ox] = tile[tx][ty];
}
