// Style: a C programmer who moves pointers to the corner of the tile first and never writes two indices.
// Right: src, dst and the two tile pointers step by the right pitch; nothing outside is read or written.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int edge = blockDim.x;
  const int top = edge * blockIdx.y;
  const int left = edge * blockIdx.x;
  const int height = min(edge, rows - top);  // of this tile
  const int width = min(edge, cols - left);

  const float* src = in + (long)top * cols + left;
  float* dst = out + (long)left * rows + top;
  float* put = &tile[0][0] + (kMaxTile + 1) * threadIdx.y + threadIdx.x;
  const float* get = &tile[0][0] + (kMaxTile + 1) * threadIdx.x + threadIdx.y;

  if ((int)threadIdx.y < height && (int)threadIdx.x < width)
    *put = *(src + (long)threadIdx.y * cols + threadIdx.x);
  __syncthreads();
  if ((int)threadIdx.y < width && (int)threadIdx.x < height)
    *(dst + (long)threadIdx.y * rows + threadIdx.x) = *get;
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int edge = blockDim.x;
  const int top = edge * blockIdx.y;
  const int left = edge * blockIdx.x;
  const int height = min(edge, rows - top);
  const int width = min(edge, cols - left);

  const float* src = in + (long)top * cols + left;
  float* dst = out + (long)left * rows + top;
  float* put = tile + (edge + 1) * threadIdx.y + threadIdx.x;
  const float* get = tile + (edge + 1) * threadIdx.x + threadIdx.y;

  if ((int)threadIdx.y < height && (int)threadIdx.x < width)
    *put = *(src + (long)threadIdx.y * cols + threadIdx.x);
  __syncthreads();
  if ((int)threadIdx.y < width && (int)threadIdx.x < height)
    *(dst + (long)threadIdx.y * rows + threadIdx.x) = *get;
}

// Bonus: pointers that walk down, eight rows at a time.
__constant__ int transpose_rows_shape[4] = {32, 8, 32, 64};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float tile[64][33];
  const int top = 64 * blockIdx.y, left = 32 * blockIdx.x;
  const int x = threadIdx.x, y = threadIdx.y;
  const float* src = in + (long)(top + y) * cols + left + x;
  float* put = &tile[y][x];
  if (left + x < cols) {
#pragma unroll
    for (int k = 0; k < 8; ++k, src += 8L * cols, put += 8 * 33)
      if (top + y + 8 * k < rows) *put = *src;
  }
  __syncthreads();
  // out: 32 rows of 64
  float* dst = out + (long)(left + y) * rows + top + x;
#pragma unroll
  for (int k = 0; k < 4; ++k, dst += 8L * rows) {
    if (left + y + 8 * k >= cols) break;
    if (top + x < rows) dst[0] = tile[x][y + 8 * k];
    if (top + x + 32 < rows) dst[32] = tile[x + 32][y + 8 * k];
  }
}
