// Lab 3: corner turning through a shared tile.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];

  // where this thread reads
  int r = blockIdx.y * kTile + threadIdx.y;
  int c = blockIdx.x * kTile + threadIdx.x;
  if (r < rows && c < cols) {
    tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  }

  __syncthreads();

  // where it writes: block indices swapped, thread indices not
  int out_r = blockIdx.x * kTile + threadIdx.y;
  int out_c = blockIdx.y * kTile + threadIdx.x;
  if (out_r < cols && out_c < rows) {
    out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
  }
}
