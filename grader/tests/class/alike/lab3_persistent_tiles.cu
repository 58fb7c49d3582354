// Of solutions/lab3_corner_turning/correct/persistent_tiles.cu
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  constexpr int N = 32;
  __shared__ T block[N][N + 1];
  int v = blockIdx.y;
  while (rows > N * v) {
    int u = blockIdx.x;
    while (cols > N * u) {
      const int q = threadIdx.x + N * u;
      const int p = threadIdx.y + N * v;
      if (cols > q && rows > p) block[threadIdx.y][threadIdx.x] = in[q + cols * p];
      __syncthreads();
      const int t = threadIdx.x + N * v;
      const int s = threadIdx.y + N * u;
      if (rows > t && cols > s) out[t + rows * s] = block[threadIdx.x][threadIdx.y];
      __syncthreads();
      u = u + gridDim.x;
    }
    v = v + gridDim.y;
  }
}
