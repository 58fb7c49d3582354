// lab: lab4
// change: if (r < rows && c < cols) square[ty][tx ^ ty] = in[r * cols + c];
// change: if (r < rows && c < cols) out[c * rows + r] = square[tx][ty ^ tx];
__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float square[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, edge = blockDim.x;
  int r = blockIdx.y * edge + ty, c = blockIdx.x * edge + tx;
  if (r < rows && c < cols) square[ty][tx ^ (ty & 15)] = in[r * cols + c];
  __syncthreads();
  r = blockIdx.y * edge + tx;
  c = blockIdx.x * edge + ty;
  if (r < rows && c < cols) out[c * rows + r] = square[tx][ty ^ (tx & 15)];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float square[];
  const int tx = threadIdx.x, ty = threadIdx.y, edge = blockDim.x;
  int r = blockIdx.y * edge + ty, c = blockIdx.x * edge + tx;
  if (r < rows && c < cols) square[ty * (edge + 1) + tx] = in[r * cols + c];
  __syncthreads();
  r = blockIdx.y * edge + tx;
  c = blockIdx.x * edge + ty;
  if (r < rows && c < cols) out[c * rows + r] = square[tx * (edge + 1) + ty];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
