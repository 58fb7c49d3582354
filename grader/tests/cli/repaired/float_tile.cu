// lab: lab3
// change: __shared__ T tile[kTile][kTile];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = blockIdx.x * kTile + threadIdx.y;
  r = blockIdx.y * kTile + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}
