// lab: lab4
// change: for (int k = 0; k < 32; k += 8) part[ty + k][tx] = y + k < rows && x < cols ? in[(y + k) * cols + x] : 0;
// change: for (int k = 0; k < 32; k += 8) if (y + k < cols && x < rows) out[(y + k) * rows + x] = part[tx][ty + k];
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {}
__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {}

__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  __shared__ float part[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  if (x < cols && y < rows)
    for (int k = 0; k < 32; k += 8) part[ty + k][tx] = in[(y + k) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  if (x < rows && y < cols)
    for (int k = 0; k < 32; k += 8) out[(y + k) * rows + x] = part[tx][ty + k];
}
