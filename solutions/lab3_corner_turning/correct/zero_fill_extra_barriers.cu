// Style: the tile is zeroed first, barriers before, between and after.
// Right: more barriers than needed, each reached by every thread.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  tile[threadIdx.y][threadIdx.x] = static_cast<T>(0);
  __syncthreads();
  const int gx = blockIdx.x * kTile + threadIdx.x;
  const int gy = blockIdx.y * kTile + threadIdx.y;
  T value;
  if (gx < cols && gy < rows) {
    value = in[gy * cols + gx];
  } else {
    value = static_cast<T>(0);
  }
  tile[threadIdx.y][threadIdx.x] = value;
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x;
  const int ty = blockIdx.x * kTile + threadIdx.y;
  value = tile[threadIdx.x][threadIdx.y];
  __syncthreads();
  if (tx < rows && ty < cols) {
    out[ty * rows + tx] = value;
  }
  __syncthreads();
}
