// verdict: out_of_bounds
// defect: out_of_bounds.shared
// says: the rows of threads in your launch shape
// never: Choose the pitch
// The loop steps by 4 rows, but the block has 8 rows of threads: in the last iteration they pass the tile's last row.
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
constexpr int kStep = 4;
__constant__ int transpose_rows_shape[4] = {kTile, kRows, kTile, kTile};

__global__ void transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int c = blockIdx.x * kTile + threadIdx.x;
  const int r = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kStep) {
    if (r + j < rows && c < cols)
      tile[threadIdx.y + j][threadIdx.x] = in[(r + j) * cols + c];  // <--
  }
  __syncthreads();

  const int out_c = blockIdx.y * kTile + threadIdx.x;
  const int out_r = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kStep) {
    if (out_r + j < cols && out_c < rows)
      out[(out_r + j) * rows + out_c] = tile[threadIdx.x][threadIdx.y + j];
  }
}
