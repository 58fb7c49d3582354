// verdict: wrong_result
// defect: barrier.after_early_return
// Threads outside the matrix return early, though the transpose needs them to store what others
// have loaded.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  if (r >= rows || c >= cols) return;  // <--
  tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  int out_c = blockIdx.y * kTile + threadIdx.x;
  int out_r = blockIdx.x * kTile + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
}
