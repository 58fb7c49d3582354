constexpr int kTile = 32;

enum {
  kStoreSectors = 4,
  kColumnWavefronts = 32,
};

// I move both pointers to the corner of my tile first, then everything is local.
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T block[kTile][kTile];

  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  const int height = rows - top;
  const int width = cols - left;
  const T* src = in + top * cols + left;
  T* dst = out + left * rows + top;
  const int x = threadIdx.x;
  const int y = threadIdx.y;

  if (y < height && x < width) {
    block[y][x] = src[y * cols + x];
  }
  __syncthreads();
  if (x < height && y < width) {
    dst[y * rows + x] = block[x][y];
  }
}
