// lab: lab3
// change: __syncthreads(); if (u < rows && v < cols) out[v * rows + u] = tile[threadIdx.x][threadIdx.y];
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  
  const int u = blockIdx.y * kTile + threadIdx.x, v = blockIdx.x * kTile + threadIdx.y;
  if (u < rows && v < cols) out[v * rows + u] = tile[threadIdx.x][threadIdx.y];
}
