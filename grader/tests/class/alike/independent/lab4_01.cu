constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float t[kMaxTile][kMaxTile + 1];
  int w = blockDim.x;
  int c = w * blockIdx.x + threadIdx.x, r = w * blockIdx.y + threadIdx.y;
  if (c < cols && r < rows) t[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = w * blockIdx.x + threadIdx.y, r = w * blockIdx.y + threadIdx.x;
  if (c < cols && r < rows) out[c * rows + r] = t[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int w = blockDim.x;
  int c = w * blockIdx.x + threadIdx.x, r = w * blockIdx.y + threadIdx.y;
  if (c < cols && r < rows) tile[(w + 1) * threadIdx.y + threadIdx.x] = in[r * cols + c];
  __syncthreads();
  c = w * blockIdx.x + threadIdx.y, r = w * blockIdx.y + threadIdx.x;
  if (c < cols && r < rows) out[c * rows + r] = tile[(w + 1) * threadIdx.x + threadIdx.y];
}

__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  __shared__ float t[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  const int top = 32 * blockIdx.y, left = 32 * blockIdx.x;
  float v[4];

#pragma unroll
  for (int q = 0; q < 4; ++q) {
    int r = top + y + 8 * q;
    v[q] = (r < rows && left + x < cols) ? in[r * cols + left + x] : 0.0f;
  }
#pragma unroll
  for (int q = 0; q < 4; ++q) t[y + 8 * q][x] = v[q];
  __syncthreads();
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    int c = left + y + 8 * q;
    if (c < cols && top + x < rows) out[c * rows + top + x] = t[x][y + 8 * q];
  }
}
