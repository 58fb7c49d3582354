// No unused memory: row `row` of the tile is stored rotated by `row` places, so that its columns
// run diagonally over the banks. Correct for every edge; for edges that are powers of two, `^` does
// the same without the remainder.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols)
    tile[threadIdx.y][(threadIdx.x + threadIdx.y) % kMaxTile] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows)
    out[out_r * rows + out_c] = tile[threadIdx.x][(threadIdx.x + threadIdx.y) % kMaxTile];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int edge = blockDim.x;
  const int turned = threadIdx.x + threadIdx.y < edge ? threadIdx.x + threadIdx.y
                                                      : threadIdx.x + threadIdx.y - edge;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * edge + turned] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.x * edge + turned];
}

constexpr int kTile = 32;
constexpr int kRows = 8;
__constant__ int transpose_rows_shape[4] = {kTile, kRows, kTile, kTile};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile];
  const int c = blockIdx.x * kTile + threadIdx.x;
  const int r = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (r + j < rows && c < cols)
      tile[threadIdx.y + j][(threadIdx.x + threadIdx.y + j) % kTile] = in[(r + j) * cols + c];
  }
  __syncthreads();

  const int out_c = blockIdx.y * kTile + threadIdx.x;
  const int out_r = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (out_r + j < cols && out_c < rows)
      out[(out_r + j) * rows + out_c] = tile[threadIdx.x][(threadIdx.x + threadIdx.y + j) % kTile];
  }
}
