// verdict: barrier
// class: barrier in a bounds check
// defect: barrier.not_on_every_path
// Only the threads that load the halo reach the barrier.
__device__ float element(const float* in, int r, int c, int rows, int cols) {
  return r >= 0 && c >= 0 && r < rows && c < cols ? in[r * cols + c] : 0.0f;
}

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  tile[ty][tx] = element(in, r, c, rows, cols);
  const int id = threadIdx.y * 32 + threadIdx.x;
  if (id < 84) {  // 34 above, 34 below, 8 left, 8 right
    const int y = id < 34 ? 0 : id < 68 ? 9 : (id - 68) % 8 + 1;
    const int x = id < 68 ? id % 34 : id < 76 ? 0 : 33;
    const int top = blockIdx.y * 8, left = blockIdx.x * 32;
    tile[y][x] = element(in, top + y - 1, left + x - 1, rows, cols);
    __syncthreads();  // <--
  }
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = ty - 1; y <= ty + 1; ++y)
    for (int x = tx - 1; x <= tx + 1; ++x) {
      const int weight = (y == ty ? 2 : 1) * (x == tx ? 2 : 1);
      sum += weight * tile[y][x];
    }
  out[r * cols + c] = sum / 16;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
