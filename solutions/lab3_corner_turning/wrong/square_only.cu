// verdict: out_of_bounds
// class: only square
// defect: out_of_bounds.wrong_index
// Both sides use `cols` as the row length: correct for square matrices only.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  int out_c = blockIdx.y * kTile + threadIdx.x;
  int out_r = blockIdx.x * kTile + threadIdx.y;
  if (out_r < cols && out_c < cols)
    out[out_r * cols + out_c] = tile[threadIdx.x][threadIdx.y];  // <--
}
