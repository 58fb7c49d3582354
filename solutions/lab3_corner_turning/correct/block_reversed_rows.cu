// Style: warps take the tile's rows in reversed order, lanes in reversed order on the store.
// Right: reversed lanes still touch 32 neighbours; each element of the tile is written once and read once.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int y = kTile - 1 - threadIdx.y, x = threadIdx.x, x2 = kTile - 1 - threadIdx.x;
  const int r0 = blockIdx.y * kTile, c0 = blockIdx.x * kTile;
  if (r0 + y < rows && c0 + x < cols) tile[y][x] = in[(r0 + y) * cols + (c0 + x)];
  __syncthreads();
  if (c0 + y < cols && r0 + x2 < rows) out[(c0 + y) * rows + (r0 + x2)] = tile[x2][y];
}
