// lab: lab5
// change: tiles.right[threadIdx.y][threadIdx.x] = k < m && col < p ? b[k * p + col] : 0;
// change: for (int i = 0; i < 32; ++i) sum += tiles.left[threadIdx.y][i] * tiles.right[i][threadIdx.x];
struct Pair {
  float left[32][32], right[32][32];
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ Pair tiles;
  const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < m; first += 32) {
    const int j = first + threadIdx.x, k = first + threadIdx.y;
    tiles.left[threadIdx.y][threadIdx.x] = row < n && j < m ? a[row * m + j] : 0;
    tiles.right[threadIdx.x][threadIdx.y] = k < m && col < p ? b[k * p + col] : 0;
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += tiles.left[threadIdx.y][i] * tiles.right[threadIdx.x][i];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
