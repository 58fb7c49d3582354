// One unused column per row: with a pitch of 33 floats, element (row, column) of the tile is in
// bank (33 * row + column) % 32 = (row + column) % 32, so neither a row nor a column uses one
// bank twice. The bonus kernel gives each thread four rows: four loads in flight at once, and
// blocks of 256 threads, which are replaced more smoothly than blocks of 1024.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x + 1;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows)
    out[out_r * rows + out_c] = tile[threadIdx.x * pitch + threadIdx.y];
}

constexpr int kTile = 32;
constexpr int kRows = 8;
__constant__ int transpose_rows_shape[4] = {kTile, kRows, kTile, kTile};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int c = blockIdx.x * kTile + threadIdx.x;
  const int r = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (r + j < rows && c < cols) tile[threadIdx.y + j][threadIdx.x] = in[(r + j) * cols + c];
  }
  __syncthreads();

  const int out_c = blockIdx.y * kTile + threadIdx.x;
  const int out_r = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (out_r + j < cols && out_c < rows)
      out[(out_r + j) * rows + out_c] = tile[threadIdx.x][threadIdx.y + j];
  }
}
