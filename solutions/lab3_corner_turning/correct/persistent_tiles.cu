// Style: the block strides over tiles as if the grid could be smaller; two barriers an iteration.
// Right: loop bounds are the block's, so all threads reach the barriers; the second protects the tile until it is read.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  for (int by = blockIdx.y; by * kTile < rows; by += gridDim.y) {
    for (int bx = blockIdx.x; bx * kTile < cols; bx += gridDim.x) {
      const int r = by * kTile + threadIdx.y, c = bx * kTile + threadIdx.x;
      if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
      __syncthreads();
      const int rr = bx * kTile + threadIdx.y, cc = by * kTile + threadIdx.x;
      if (rr < cols && cc < rows) out[rr * rows + cc] = tile[threadIdx.x][threadIdx.y];
      __syncthreads();
    }
  }
}
