// The tile as a flat array, and names for what the indices mean.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile * kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first_row = blockIdx.y * kTile;
  const int first_col = blockIdx.x * kTile;
  if (first_row + y < rows && first_col + x < cols) {
    tile[y * kTile + x] = in[(first_row + y) * cols + first_col + x];
  }
  __syncthreads();
  if (first_col + y < cols && first_row + x < rows) {
    out[(first_col + y) * rows + first_row + x] = tile[x * kTile + y];
  }
}
