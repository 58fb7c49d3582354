// lab: lab4
// change: __device__ const int transpose_rows_shape[4] = {ACROSS, DOWN, ACROSS, ACROSS};
#define ACROSS 32
#define DOWN 4

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
}

__device__ const int transpose_rows_shape[4] = {DOWN, ACROSS, ACROSS, ACROSS};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  __shared__ float part[ACROSS][ACROSS + 1];
  const int left = blockIdx.x * ACROSS, top = blockIdx.y * ACROSS;
  for (int y = threadIdx.y; y < ACROSS; y += DOWN)
    if (top + y < rows && left + threadIdx.x < cols)
      part[y][threadIdx.x] = in[(top + y) * cols + left + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < ACROSS; y += DOWN)
    if (left + y < cols && top + threadIdx.x < rows)
      out[(left + y) * rows + top + threadIdx.x] = part[threadIdx.x][y];
}
