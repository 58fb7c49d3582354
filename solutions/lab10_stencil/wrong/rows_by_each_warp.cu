// verdict: gate load_sectors
// defect: gate.load_sectors
// Neighbours in the row come by shuffles, but each warp loads the rows above and below for itself.
__device__ float row_sum(const float* in, int r, int c, int rows, int cols) {
  const int lane = threadIdx.x, beyond = lane < 3 ? c - 3 : c + 3;
  const bool in_rows = r >= 0 && r < rows;
  const float mine = in_rows && c < cols ? in[r * cols + c] : 0;  // <--
  float edge = 0;
  if (in_rows && (lane < 3 || lane > 28) && beyond >= 0 && beyond < cols)
    edge = in[r * cols + beyond];
  float sum = 0;
  for (int k = -3; k <= 3; ++k) {
    const int at = lane + k;
    const float inside = __shfl_sync(0xffffffff, mine, at & 31);
    const float outside = __shfl_sync(0xffffffff, edge, (at < 0 ? at + 3 : at - 3) & 31);
    sum += at >= 0 && at < 32 ? inside : outside;
  }
  return sum;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  const int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = -3; k <= 3; ++k) sum += row_sum(in, r + k, c, rows, cols);
  if (r < rows && c < cols) out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
