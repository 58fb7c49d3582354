// Style: no guard on the load: indices are clamped into the matrix; an empty matrix is left at once by the whole block.
// Right: a clamped thread stages a copy of an edge element that no thread stores; the early return is uniform for the grid.
constexpr int kMaxTile = 32;

__device__ inline int clamp_to(int i, int n) { return i < n ? i : n - 1; }

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int y = clamp_to(blockIdx.y * blockDim.x + threadIdx.y, rows);
  const int x = clamp_to(blockIdx.x * blockDim.x + threadIdx.x, cols);
  tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  const int r = blockIdx.y * blockDim.x + threadIdx.x;
  const int c = blockIdx.x * blockDim.x + threadIdx.y;
  if (r >= rows || c >= cols) return;
  out[c * rows + r] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  extern __shared__ float tile[];
  const int w = blockDim.x + 1;
  const int y = clamp_to(blockIdx.y * blockDim.x + threadIdx.y, rows);
  const int x = clamp_to(blockIdx.x * blockDim.x + threadIdx.x, cols);
  tile[threadIdx.y * w + threadIdx.x] = in[y * cols + x];
  __syncthreads();
  const int r = blockIdx.y * blockDim.x + threadIdx.x;
  const int c = blockIdx.x * blockDim.x + threadIdx.y;
  if (r >= rows || c >= cols) return;
  out[c * rows + r] = tile[threadIdx.x * w + threadIdx.y];
}

// 16 bytes a thread where the sizes allow it, element by element elsewhere.
__constant__ int transpose_rows_shape[4] = {16, 16, 64, 64};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float tile[64][65];
  const int top = 64 * blockIdx.y, left = 64 * blockIdx.x;
  const int q = 4 * threadIdx.x;
  const bool whole = rows % 4 == 0 && cols % 4 == 0 && top + 64 <= rows && left + 64 <= cols;
  if (whole) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      v[k] = *reinterpret_cast<const float4*>(in + (size_t)(top + threadIdx.y + 16 * k) * cols +
                                              left + q);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float* t = &tile[threadIdx.y + 16 * k][q];
      t[0] = v[k].x, t[1] = v[k].y, t[2] = v[k].z, t[3] = v[k].w;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int c = threadIdx.y + 16 * k;
      float4 u = make_float4(tile[q][c], tile[q + 1][c], tile[q + 2][c], tile[q + 3][c]);
      *reinterpret_cast<float4*>(out + (size_t)(left + c) * rows + top + q) = u;
    }
  } else {
    const int t = 16 * threadIdx.y + threadIdx.x, lane = t & 63, first = t >> 6;
    for (int r = first; r < 64; r += 4)
      if (top + r < rows && left + lane < cols)
        tile[r][lane] = in[(size_t)(top + r) * cols + left + lane];
    __syncthreads();
    for (int c = first; c < 64; c += 4)
      if (left + c < cols && top + lane < rows)
        out[(size_t)(left + c) * rows + top + lane] = tile[lane][c];
  }
}
