// verdict: gate static_sectors
// defect: gate.static_sectors
// No tile, no conflicts: the faster naive kernel of lab 2.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  int r = blockIdx.y * blockDim.y + threadIdx.x;
  int c = blockIdx.x * blockDim.x + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];  // <--
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  int r = blockIdx.y * blockDim.y + threadIdx.x;
  int c = blockIdx.x * blockDim.x + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
