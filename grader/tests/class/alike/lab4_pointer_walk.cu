// Of solutions/lab4_bank_conflict_padding/correct/pointer_walk.cu
__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  const int n = blockDim.x;
  const int x0 = blockIdx.x * n;
  const int y0 = blockIdx.y * n;
  const int wide = min(cols - x0, n);
  const int high = min(rows - y0, n);
  __shared__ float buf[32][33];
  const float* r = &buf[0][0] + threadIdx.y + threadIdx.x * 33;
  float* w = &buf[0][0] + threadIdx.x + threadIdx.y * 33;
  float* target = out + y0 + (long)x0 * rows;
  const float* origin = in + x0 + (long)y0 * cols;
  if (wide > (int)threadIdx.x && high > (int)threadIdx.y)
    *w = *(origin + threadIdx.x + (long)threadIdx.y * cols);
  __syncthreads();
  if (high > (int)threadIdx.x && wide > (int)threadIdx.y)
    *(target + threadIdx.x + (long)threadIdx.y * rows) = *r;
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  const int n = blockDim.x;
  const int x0 = blockIdx.x * n;
  const int y0 = blockIdx.y * n;
  const int wide = min(cols - x0, n);
  const int high = min(rows - y0, n);
  extern __shared__ float buf[];
  const float* r = buf + threadIdx.y + threadIdx.x * (1 + n);
  float* w = buf + threadIdx.x + threadIdx.y * (1 + n);
  float* target = out + y0 + (long)x0 * rows;
  const float* origin = in + x0 + (long)y0 * cols;
  if (wide > (int)threadIdx.x && high > (int)threadIdx.y)
    *w = *(origin + threadIdx.x + (long)threadIdx.y * cols);
  __syncthreads();
  if (high > (int)threadIdx.x && wide > (int)threadIdx.y)
    *(target + threadIdx.x + (long)threadIdx.y * rows) = *r;
}

__constant__ int transpose_rows_shape[4] = {32, 8, 32, 64};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
}
