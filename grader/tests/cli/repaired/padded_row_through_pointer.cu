// lab: lab3
// change: out[outRow * rows + outCol] = flat[threadIdx.x * (kTile + 1) + threadIdx.y];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  T* flat = &tile[0][0];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
  __syncthreads();
  int outCol = blockIdx.y * kTile + threadIdx.x;
  int outRow = blockIdx.x * kTile + threadIdx.y;
  if (outRow < cols && outCol < rows)
    out[outRow * rows + outCol] = flat[threadIdx.x * kTile + threadIdx.y];
}
