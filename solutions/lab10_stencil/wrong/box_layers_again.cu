// verdict: gate box_load_sectors
// defect: gate.box_load_sectors
// Bonus: the layers before and after are loaded again for each layer.
constexpr int kWidth = 32, kHeight = 8, kRadius = 3;

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
  for (int y = threadIdx.y; y < kHeight + 2 * kRadius; y += kHeight)
    for (int x = threadIdx.x; x < kWidth + 2 * kRadius; x += kWidth) {
      const int r = blockIdx.y * kHeight + y - kRadius, c = blockIdx.x * kWidth + x - kRadius;
      const bool exists = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[y][x] = exists ? in[r * cols + c] : 0.0f;
    }
  __syncthreads();
  const int r = blockIdx.y * kHeight + threadIdx.y, c = blockIdx.x * kWidth + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * kRadius; ++dy)
    for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float layer[kHeight + 2][kWidth + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * kWidth + threadIdx.x, y = blockIdx.y * kHeight + threadIdx.y;
  const auto load = [&](int lz, int ly, int lx) {
    const bool exists = lz < nz && ly >= 0 && ly < ny && lx >= 0 && lx < nx;
    return exists ? in[(lz * ny + ly) * nx + lx] : 0.0f;  // <--
  };
  for (int z = 0; z < nz; ++z) {
    const float before = z > 0 ? load(z - 1, y, x) : 0, after = load(z + 1, y, x);
    const float here = load(z, y, x);
    layer[ty][tx] = here;
    if (ty == 1) layer[0][tx] = load(z, y - 1, x);
    if (ty == kHeight) layer[kHeight + 1][tx] = load(z, y + 1, x);
    if (tx == 1) layer[ty][0] = load(z, y, x - 1);
    if (tx == kWidth) layer[ty][kWidth + 1] = load(z, y, x + 1);
    __syncthreads();
    if (x < nx && y < ny)
      out[(z * ny + y) * nx + x] = before + after + layer[ty][tx - 1] + layer[ty][tx + 1] +
                                   layer[ty - 1][tx] + layer[ty + 1][tx] - 6 * here;
    __syncthreads();
  }
}
