// verdict: gate load_sectors
// defect: gate.load_sectors
// Left and right come by shuffles, but each warp loads the row above and the row below for itself.
__device__ float row_sum(const float* in, int r, int c, int rows, int cols) {
  const bool in_rows = r >= 0 && r < rows;
  const float mine = in_rows && c < cols ? in[r * cols + c] : 0;  // <--
  float left = __shfl_up_sync(0xffffffff, mine, 1), right = __shfl_down_sync(0xffffffff, mine, 1);
  if (threadIdx.x == 0) left = in_rows && c > 0 ? in[r * cols + c - 1] : 0;
  if (threadIdx.x == 31) right = in_rows && c + 1 < cols ? in[r * cols + c + 1] : 0;
  return left + 2 * mine + right;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  const int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  const float sum = row_sum(in, r - 1, c, rows, cols) + 2 * row_sum(in, r, c, rows, cols) +
                    row_sum(in, r + 1, c, rows, cols);
  if (r < rows && c < cols) out[r * cols + c] = sum / 16;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
