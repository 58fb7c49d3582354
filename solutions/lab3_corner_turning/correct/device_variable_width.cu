// Style: the tile's width as a __device__ variable that is not const, read by every thread.
// Right: nobody writes it; a warp reads one word of one sector for it.
constexpr int kTile = 32;
__device__ int tile_width = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int w = tile_width;
  int c = blockIdx.x * w + threadIdx.x, r = blockIdx.y * w + threadIdx.y;
  if (c < cols && r < rows) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * w + threadIdx.y;
  r = blockIdx.y * w + threadIdx.x;
  if (c < cols && r < rows) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}
