// Style: no padding at all; the static tile is swizzled by XOR, the dynamic one rotates each row by its number.
// Right: both maps permute the columns of a row and send the 32 elements of a column to 32 different banks.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int tx = threadIdx.x, ty = threadIdx.y, b = blockDim.x;

  int x = blockIdx.x * b + tx;
  int y = blockIdx.y * b + ty;
  if (x < cols && y < rows) tile[ty][tx ^ ty] = in[y * cols + x];
  __syncthreads();

  x = blockIdx.y * b + tx;
  y = blockIdx.x * b + ty;
  if (x < rows && y < cols) out[y * rows + x] = tile[tx][ty ^ tx];
}

// XOR would leave the row when blockDim.x is 17, so here the row is rotated.
__device__ int place(int row, int col, int edge) {
  int c = col + row;
  if (c >= edge) c -= edge;
  return row * edge + c;
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int tx = threadIdx.x, ty = threadIdx.y, b = blockDim.x;

  int x = blockIdx.x * b + tx;
  int y = blockIdx.y * b + ty;
  if (x < cols && y < rows) tile[place(ty, tx, b)] = in[y * cols + x];
  __syncthreads();

  x = blockIdx.y * b + tx;
  y = blockIdx.x * b + ty;
  if (x < rows && y < cols) out[y * rows + x] = tile[place(tx, ty, b)];
}

// Four rows a thread, the same swizzle.
__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = 32 * blockIdx.y + ty + 8 * k, c = 32 * blockIdx.x + tx;
    v[k] = (r < rows && c < cols) ? in[r * cols + c] : 0.0f;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[ty + 8 * k][tx ^ (ty + 8 * k)] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int c = 32 * blockIdx.x + ty + 8 * k, r = 32 * blockIdx.y + tx;
    if (r < rows && c < cols) out[c * rows + r] = tile[tx][(ty + 8 * k) ^ tx];
  }
}
