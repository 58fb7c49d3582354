// lab: lab4
// change: if (r < rows && c < cols) tile[threadIdx.y * (blockDim.x + 1) + threadIdx.x] = in[r * cols + c];
// change: if (r2 < cols && c2 < rows) out[r2 * rows + c2] = tile[threadIdx.x * (blockDim.x + 1) + threadIdx.y];
// Lab 4: the corner turning of lab 3, without bank conflicts.
constexpr int kMaxTile = 32;
constexpr int kPitch = kMaxTile + 1;  // 33 words: a column goes through all banks

enum {
  kLoadWavefronts = 1,
  kStoreWavefronts = 1,
};

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kPitch];
  const int size = blockDim.x;

  const int r = blockIdx.y * size + threadIdx.y;
  const int c = blockIdx.x * size + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int r2 = blockIdx.x * size + threadIdx.y;
  const int c2 = blockIdx.y * size + threadIdx.x;
  if (r2 < cols && c2 < rows) out[r2 * rows + c2] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int size = blockDim.x;

  const int r = blockIdx.y * size + threadIdx.y;
  const int c = blockIdx.x * size + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y * kPitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int r2 = blockIdx.x * size + threadIdx.y;
  const int c2 = blockIdx.y * size + threadIdx.x;
  if (r2 < cols && c2 < rows) out[r2 * rows + c2] = tile[threadIdx.x * kPitch + threadIdx.y];
}

__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kPitch];
  const int c = blockIdx.x * kMaxTile + threadIdx.x;
#pragma unroll
  for (int j = 0; j < kMaxTile; j += 8) {
    const int r = blockIdx.y * kMaxTile + threadIdx.y + j;
    if (r < rows && c < cols) tile[threadIdx.y + j][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  const int c2 = blockIdx.y * kMaxTile + threadIdx.x;
#pragma unroll
  for (int j = 0; j < kMaxTile; j += 8) {
    const int r2 = blockIdx.x * kMaxTile + threadIdx.y + j;
    if (r2 < cols && c2 < rows) out[r2 * rows + c2] = tile[threadIdx.x][threadIdx.y + j];
  }
}
