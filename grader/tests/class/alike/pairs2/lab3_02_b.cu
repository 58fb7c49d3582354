// corner turning
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* a, T* b, int m, int n) {
  const int x0 = blockIdx.x * kTile;
  const int y0 = blockIdx.y * kTile;

  // size of the part of the block that has elements
  int nx = n - x0;
  if (nx > kTile) nx = kTile;
  int ny = m - y0;
  if (ny > kTile) ny = kTile;

  const int j = threadIdx.y;
  const int i = threadIdx.x;
  __shared__ T s[kTile][kTile];

  if (i < nx && j < ny) {
    // load
    const size_t from = i + x0 + (size_t)n * (j + y0);
    s[i][j] = a[from];
  }

  __syncthreads();

  if (i < ny && j < nx) {
    // store
    const size_t to = i + y0 + (size_t)m * (j + x0);
    b[to] = s[j][i];
  }
}
