// lab: lab3
// change: if (top + y < rows && left + x < cols) tile[y][x] = in[(top + y) * cols + left + x];
constexpr int kTile = 32;
enum { kLoadSectors = 4, kStoreSectors = 4, };
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  if (y < rows && x < cols) tile[y][x] = in[(top + y) * cols + left + x];
  __syncthreads();
  if (left + y < cols && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
}
