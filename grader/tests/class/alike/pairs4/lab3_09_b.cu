// Lab 3 - transpose with shared memory
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,      // 32 * 4 bytes / 32
  kColumnWavefronts = 32,  // all in one bank
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tmp[kTile][kTile];
  const int u = threadIdx.x;
  const int v = threadIdx.y;
  const int step = blockDim.y;

  const int inX = u + kTile * blockIdx.x;
  const int outX = u + kTile * blockIdx.y;

  int k = v;
  while (k < kTile) {
    const int inY = k + kTile * blockIdx.y;
    if (inY < rows && inX < cols) tmp[k][u] = in[inX + cols * inY];
    k += step;
  }
  __syncthreads();
  k = v;
  while (k < kTile) {
    const int outY = k + kTile * blockIdx.x;
    if (outY < cols && outX < rows) out[outX + rows * outY] = tmp[u][k];
    k += step;
  }
}
