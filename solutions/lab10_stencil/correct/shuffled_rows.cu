// A warp has a row: neighbours come by shuffles, and the first and last three lanes load what lies beyond. Rows are exchanged
// in shared memory, once they are summed up; some warps add up a row above or below the block, too.
__device__ float row_sum(const float* in, int r, int c, int rows, int cols) {
  const int lane = threadIdx.x, beyond = lane < 3 ? c - 3 : c + 3;
  const bool in_rows = r >= 0 && r < rows;
  const float mine = in_rows && c < cols ? in[r * cols + c] : 0;
  float edge = 0;
  if (in_rows && (lane < 3 || lane > 28) && beyond >= 0 && beyond < cols)
    edge = in[r * cols + beyond];
  float sum = 0;
#pragma unroll
  for (int k = -3; k <= 3; ++k) {
    const int at = lane + k;
    const float inside = __shfl_sync(0xffffffff, mine, at & 31);
    const float outside = __shfl_sync(0xffffffff, edge, (at < 0 ? at + 3 : at - 3) & 31);
    sum += at >= 0 && at < 32 ? inside : outside;
  }
  return sum;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float sums[14][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int r = blockIdx.y * 8 + y, c = blockIdx.x * 32 + x;
  for (int k = y; k < 14; k += 8) sums[k][x] = row_sum(in, r - y + k - 3, c, rows, cols);
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int k = 0; k < 7; ++k) sum += sums[y + k][x];
  out[r * cols + c] = sum;
}

// Only what the warp above and the warp below need goes through shared memory.
__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float layer[10][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  const size_t step = static_cast<size_t>(ny) * nx;
  const bool is_inside = x < nx && y < ny;
  const float* p = in + static_cast<size_t>(y) * nx + x;
  float* q = out + static_cast<size_t>(y) * nx + x;
  float before = 0, here = is_inside && nz > 0 ? *p : 0;
  for (int z = 0; z < nz; ++z, p += step, q += step) {
    const float after = is_inside && z + 1 < nz ? p[step] : 0;
    layer[ty + 1][tx] = here;
    if (ty == 0) layer[0][tx] = y > 0 && is_inside ? p[-nx] : 0;
    if (ty == 7) layer[9][tx] = y + 1 < ny && x < nx ? p[nx] : 0;
    float left = __shfl_up_sync(~0u, here, 1), right = __shfl_down_sync(~0u, here, 1);
    if (tx == 0) left = is_inside && x > 0 ? p[-1] : 0;
    if (tx == 31) right = y < ny && x + 1 < nx ? p[1] : 0;
    __syncthreads();
    if (is_inside)
      *q = left + right + before + after + layer[ty][tx] + layer[ty + 2][tx] - 6 * here;
    __syncthreads();
    before = here;
    here = after;
  }
}
