// Style: the tile's rows are rotated, (x + y) % 32, with needless modulo also for the thread's place.
// Right: rotation is the same on write and read; tid % 32 is threadIdx.x.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile * kTile];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int y = tid / kTile, x = tid % kTile;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  if (row < rows && col < cols) tile[y * kTile + (x + y) % kTile] = in[row * cols + col];
  __syncthreads();
  const int trow = blockIdx.x * kTile + y, tcol = blockIdx.y * kTile + x;
  if (trow < cols && tcol < rows) out[trow * rows + tcol] = tile[x * kTile + (y + x) % kTile];
}
