// Style: one helper that is not inlined, which says whether an element exists.
// Right: no pointers go through it; the rest is the plain tile.
constexpr int kTile = 32;
__device__ __noinline__ bool exists(int r, int c, int rows, int cols) {
  return r < rows && c < cols;
}

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int c = blockIdx.x * kTile + threadIdx.x, r = blockIdx.y * kTile + threadIdx.y;
  if (exists(r, c, rows, cols)) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * kTile + threadIdx.y, r = blockIdx.y * kTile + threadIdx.x;
  if (exists(r, c, rows, cols)) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}
