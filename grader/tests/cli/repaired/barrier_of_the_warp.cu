// lab: lab3
// change: __syncthreads();
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T box[kTile][kTile + 1];
  const int u = threadIdx.x, v = threadIdx.y;
  int c = blockIdx.x * kTile + u;
  int r = blockIdx.y * kTile + v;
  if (c < cols && r < rows) box[v][u] = in[r * cols + c];
  __syncwarp();
  c = blockIdx.y * kTile + u;
  r = blockIdx.x * kTile + v;
  if (c < rows && r < cols) out[r * rows + c] = box[u][v];
}
