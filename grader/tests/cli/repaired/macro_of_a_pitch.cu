// lab: lab4
// change: #define LENGTH (EDGE + 1)
#define EDGE 32
#define LENGTH EDGE + 1

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[EDGE * EDGE + EDGE];
  const int size = blockDim.x;
  int row = blockIdx.y * size + threadIdx.y, col = blockIdx.x * size + threadIdx.x;
  if (row < rows && col < cols) tile[threadIdx.y * LENGTH + threadIdx.x] = in[row * cols + col];
  __syncthreads();
  row = blockIdx.x * size + threadIdx.y, col = blockIdx.y * size + threadIdx.x;
  if (row < cols && col < rows) out[row * rows + col] = tile[threadIdx.x * LENGTH + threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {}

__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
