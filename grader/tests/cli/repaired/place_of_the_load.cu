// lab: lab3
// change: int out_row = blockIdx.x * kTile + ty;
// change: int out_col = blockIdx.y * kTile + tx;
// change: out[out_row * rows + out_col] = tile[tx][ty];
// why: change_own_element
// Lab 3: corner turning
constexpr int kTile = 32;
enum {
  kLoadSectors = 4,
  kStoreSectors = 4,
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty;
  int col = blockIdx.x * kTile + tx;
  if (row < rows && col < cols) {
    tile[ty][tx] = in[row * cols + col];
  }
  __syncthreads();
  // element (row, col) goes to (col, row)
  int out_row = col;
  int out_col = row;
  if (out_row < cols && out_col < rows) {
    out[out_row * rows + out_col] = tile[ty][tx];
  }
}
