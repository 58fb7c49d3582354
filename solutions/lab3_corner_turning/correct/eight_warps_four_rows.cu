// Style: only 8 of the 32 rows of threads work, four rows of the tile each, unrolled by hand, through registers.
// Right: fewer threads, more loads in flight; the others wait at the same barrier. Rows are coalesced.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * kTile, c0 = blockIdx.x * kTile;
  if (ty < 8) {
    const int c = c0 + tx, r = r0 + ty;
    T v0 = 0, v1 = 0, v2 = 0, v3 = 0;
    if (c < cols) {
      if (r < rows) v0 = in[r * cols + c];
      if (r + 8 < rows) v1 = in[(r + 8) * cols + c];
      if (r + 16 < rows) v2 = in[(r + 16) * cols + c];
      if (r + 24 < rows) v3 = in[(r + 24) * cols + c];
    }
    tile[ty][tx] = v0;
    tile[ty + 8][tx] = v1;
    tile[ty + 16][tx] = v2;
    tile[ty + 24][tx] = v3;
  }
  __syncthreads();
  if (ty < 8) {
    const int c = r0 + tx, r = c0 + ty;
    if (c < rows) {
#pragma unroll
      for (int k = 0; k < 32; k += 8)
        if (r + k < cols) out[(r + k) * rows + c] = tile[tx][ty + k];
    }
  }
}
