// verdict: gate sectors
// defect: gate.sectors
// Each thread reads its own element back from the tile: the transpose happens in global memory,
// as before.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.y][threadIdx.x];  // <--
}
