// verdict: gate static_wavefronts
// defect: gate.static_wavefronts
// The static tile is not padded.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows)
    out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];  // <--
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

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
