// lab: lab5
// change: template <int kCopy> __device__ Row* loadTile(const float* matrix, int height, int width, int top, int left) {
// change: Row* tileA = loadTile<0>(a, n, m, top, start);
// change: Row* tileB = loadTile<1>(b, m, p, start, left);
// why: change_array_of_function
constexpr int kTile = 32;

enum {
  kLoadSectors = 4,
  kAllLoadSectors = 1048576,
};

using Row = float[kTile];

// One element per thread; whatever is outside of the matrix counts as 0.
__device__ Row* loadTile(const float* matrix, int height, int width, int top, int left) {
  __shared__ Row tile[kTile];
  int row = top + threadIdx.y;
  int column = left + threadIdx.x;
  bool inside = row < height && column < width;
  tile[threadIdx.y][threadIdx.x] = inside ? matrix[row * width + column] : 0.0f;
  return tile;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  int top = blockIdx.y * kTile;
  int left = blockIdx.x * kTile;
  float sum = 0.0f;

  for (int start = 0; start < m; start += kTile) {
    Row* tileA = loadTile(a, n, m, top, start);
    Row* tileB = loadTile(b, m, p, start, left);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }

  int row = top + threadIdx.y;
  int column = left + threadIdx.x;
  if (row < n && column < p) c[row * p + column] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
}
