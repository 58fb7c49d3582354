constexpr int kTile = 32;
#define BX ((int)blockIdx.x * kTile)
#define BY ((int)blockIdx.y * kTile)

template <typename T>
__global__ void corner_turn(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
  __shared__ T buf[kTile][kTile];
  const int u = threadIdx.x, v = threadIdx.y;

  const size_t from = (size_t)(BY + v) * cols + BX + u;
  const size_t to = (size_t)(BX + v) * rows + BY + u;

  if (BX + u < cols && BY + v < rows) buf[v][u] = in[from];
  __syncthreads();
  if (BX + v < cols && BY + u < rows) out[to] = buf[u][v];
}
