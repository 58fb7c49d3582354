constexpr int kTile = 32;

__device__ inline bool valid(int r, int c, int rows, int cols) { return r < rows && c < cols; }

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T sm[kTile][kTile + 1];
  int r = blockIdx.y * kTile + threadIdx.y;
  int c = blockIdx.x * kTile + threadIdx.x;
  sm[threadIdx.y][threadIdx.x] = valid(r, c, rows, cols) ? in[r * cols + c] : T();
  __syncthreads();
  int r2 = blockIdx.x * kTile + threadIdx.y;
  int c2 = blockIdx.y * kTile + threadIdx.x;
  if (!valid(r2, c2, cols, rows)) return;
  out[r2 * rows + c2] = sm[threadIdx.x][threadIdx.y];
}
