// Transposed on the write: the tile is stored transposed, and read row by row. The bank
// conflicts are then on the store into shared memory.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int c = blockIdx.x * kTile + threadIdx.x;
  const int r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.x][threadIdx.y] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * kTile + threadIdx.x;
  const int out_r = blockIdx.x * kTile + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.y][threadIdx.x];
}
