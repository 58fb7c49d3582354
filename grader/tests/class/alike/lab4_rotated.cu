// Of solutions/lab4_bank_conflict_padding/correct/rotated.cu
#define EDGE 32
__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float s[EDGE][EDGE];
  const int ty = threadIdx.y;
  const int tx = threadIdx.x;
  const int y = ty + blockDim.y * blockIdx.y;
  const int x = tx + blockDim.x * blockIdx.x;
  if (cols > x && rows > y) s[ty][(ty + tx) % EDGE] = in[x + cols * y];
  __syncthreads();
  const int y2 = ty + blockDim.x * blockIdx.x;
  const int x2 = tx + blockDim.y * blockIdx.y;
  if (rows > x2 && cols > y2) out[x2 + rows * y2] = s[tx][(ty + tx) % EDGE];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float s[];
  const int ty = threadIdx.y;
  const int tx = threadIdx.x;
  const int w = blockDim.x;
  const int moved = w > ty + tx ? ty + tx : ty + tx - w;
  const int y = ty + blockDim.y * blockIdx.y;
  const int x = tx + blockDim.x * blockIdx.x;
  if (cols > x && rows > y) s[moved + w * ty] = in[x + cols * y];
  __syncthreads();
  const int y2 = ty + blockDim.x * blockIdx.x;
  const int x2 = tx + blockDim.y * blockIdx.y;
  if (rows > x2 && cols > y2) out[x2 + rows * y2] = s[moved + w * tx];
}

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float s[EDGE][EDGE];
  const int ty = threadIdx.y;
  const int tx = threadIdx.x;
  const int y = ty + EDGE * blockIdx.y;
  const int x = tx + EDGE * blockIdx.x;
  int q = 0;
  while (q < EDGE) {
    if (cols > x && rows > q + y) s[q + ty][(q + ty + tx) % EDGE] = in[x + cols * (q + y)];
    q += 8;
  }
  __syncthreads();
  const int y2 = ty + EDGE * blockIdx.x;
  const int x2 = tx + EDGE * blockIdx.y;
  q = 0;
  while (q < EDGE) {
    if (rows > x2 && cols > q + y2) out[x2 + rows * (q + y2)] = s[tx][(q + ty + tx) % EDGE];
    q += 8;
  }
}
