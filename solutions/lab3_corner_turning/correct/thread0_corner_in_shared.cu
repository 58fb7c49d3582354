// Style: one thread works out the corners for all and leaves them in shared memory, with a flag for edges.
// Right: a barrier after that, another after the load; no thread returns before them.
constexpr int kTile = 32;
__constant__ const int kOne = 1;

struct Corner {
  int row, col;
  bool cut;
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  __shared__ Corner corner;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    corner.row = kTile * blockIdx.y * kOne;
    corner.col = kTile * blockIdx.x * kOne;
    corner.cut = corner.row + kTile > rows || corner.col + kTile > cols;
  }
  __syncthreads();
  const int r = corner.row + threadIdx.y, c = corner.col + threadIdx.x;
  if (!corner.cut || (r < rows && c < cols)) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  const int r2 = corner.col + threadIdx.y, c2 = corner.row + threadIdx.x;
  if (!corner.cut || (r2 < cols && c2 < rows)) out[r2 * rows + c2] = tile[threadIdx.x][threadIdx.y];
}
