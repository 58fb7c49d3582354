// lab: lab4
// change: constexpr int kBlockRows = 32;
// Lab 4: padding.
constexpr int kMaxTile = 32;

enum {
  kLoadWavefronts = 1,
  kStoreWavefronts = 1,
};

constexpr int kBlockRows = 8;  // from the blog post about the efficient transpose

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];

  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.x + threadIdx.y;
  for (int j = 0; j < kMaxTile; j += kBlockRows)
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];

  __syncthreads();

  x = blockIdx.y * blockDim.x + threadIdx.x;  // transpose block offset
  y = blockIdx.x * blockDim.x + threadIdx.y;
  for (int j = 0; j < kMaxTile; j += kBlockRows)
    if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int b = blockDim.x;
  const int left = b * blockIdx.x;
  const int top = b * blockIdx.y;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  if (top + y < rows && left + x < cols) tile[y * (b + 1) + x] = in[(top + y) * cols + (left + x)];
  __syncthreads();
  if (left + y < cols && top + x < rows) out[(left + y) * rows + (top + x)] = tile[x * (b + 1) + y];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // not yet
}
