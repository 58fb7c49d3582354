// verdict: barrier
// class: barrier in a bounds check
// defect: barrier.not_on_every_path
// Only the threads that load the halo left and right reach the barrier.
__device__ float element(const float* in, int r, int c, int rows, int cols) {
  return r >= 0 && c >= 0 && r < rows && c < cols ? in[r * cols + c] : 0.0f;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[14][38];
  const int tx = threadIdx.x + 3, ty = threadIdx.y + 3;
  const int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  tile[ty][tx] = element(in, r, c, rows, cols);
  const int id = threadIdx.y * 32 + threadIdx.x;
  if (id < 84) {  // 14 rows of 6: three left, three right
    const int y = id / 6, x = id % 6 < 3 ? id % 6 : id % 6 + 32;
    const int top = blockIdx.y * 8, left = blockIdx.x * 32;
    tile[y][x] = element(in, top + y - 3, left + x - 3, rows, cols);
    __syncthreads();  // <--
  }
  if (threadIdx.y < 3) tile[threadIdx.y][tx] = element(in, r - 3, c, rows, cols);
  if (threadIdx.y > 4) tile[threadIdx.y + 6][tx] = element(in, r + 3, c, rows, cols);
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = ty - 3; y <= ty + 3; ++y)
    for (int x = tx - 3; x <= tx + 3; ++x) sum += tile[y][x];
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
