// A warp has a row: left and right come by shuffles, and the first and last lane take theirs from memory. Rows are exchanged
// in shared memory, once they are summed up; the first and the last warp add up the rows above and below the block.
__device__ float row_sum(const float* in, int r, int c, int rows, int cols) {
  const bool in_rows = r >= 0 && r < rows;
  const float mine = in_rows && c < cols ? in[r * cols + c] : 0;
  float left = __shfl_up_sync(0xffffffff, mine, 1), right = __shfl_down_sync(0xffffffff, mine, 1);
  if (threadIdx.x == 0) left = in_rows && c > 0 ? in[r * cols + c - 1] : 0;
  if (threadIdx.x == 31) right = in_rows && c + 1 < cols ? in[r * cols + c + 1] : 0;
  return left + 2 * mine + right;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float sums[10][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int r = blockIdx.y * 8 + y, c = blockIdx.x * 32 + x;
  const float mine = row_sum(in, r, c, rows, cols);
  sums[y + 1][x] = mine;
  if (y == 0) sums[0][x] = row_sum(in, r - 1, c, rows, cols);
  if (y == 7) sums[9][x] = row_sum(in, r + 1, c, rows, cols);
  __syncthreads();
  if (r < rows && c < cols) out[r * cols + c] = (sums[y][x] + 2 * mine + sums[y + 2][x]) / 16;
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
