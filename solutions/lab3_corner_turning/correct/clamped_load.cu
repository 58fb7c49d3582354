// Style: loads at clamped indices, so that the tile is always full; only the store has a guard.
// Right: for an empty matrix the whole block returns before the barrier; clamped indices lie inside.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  __shared__ T tile[kTile][kTile];
  const int r = min(int(blockIdx.y * kTile + threadIdx.y), rows - 1);
  const int c = min(int(blockIdx.x * kTile + threadIdx.x), cols - 1);
  tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  const int orow = blockIdx.x * kTile + threadIdx.y;
  const int ocol = blockIdx.y * kTile + threadIdx.x;
  if (orow < cols && ocol < rows) out[orow * rows + ocol] = tile[threadIdx.x][threadIdx.y];
}
