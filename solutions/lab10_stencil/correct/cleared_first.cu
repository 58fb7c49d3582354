// The whole tile is cleared; after a barrier, what exists is loaded over it.
struct Tile {
  float row[14][38];
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ Tile tile;
  int id = threadIdx.x + 32 * threadIdx.y;
  float* flat = &tile.row[0][0];
  flat[id] = 0;
  flat[id + 256] = 0;
  if (id + 512 < 532) flat[id + 512] = 0;
  __syncthreads();
  int r0 = blockIdx.y * 8, c0 = blockIdx.x * 32;
  int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
  if (r < rows && c < cols) tile.row[threadIdx.y + 3][threadIdx.x + 3] = in[r * cols + c];
  // 276 elements of halo: 3 rows of 38 above and below, 8 rows of 3 left and right.
  for (int h = id; h < 276; h += 256) {
    int y, x;
    if (h < 228) {
      y = h / 38;
      if (y > 2) y += 8;
      x = h % 38;
    } else {
      y = 3 + (h - 228) / 6;
      x = (h - 228) % 6;
      if (x > 2) x += 32;
    }
    int hr = r0 + y - 3, hc = c0 + x - 3;
    if (hr >= 0 && hr < rows && hc >= 0 && hc < cols) tile.row[y][x] = in[hr * cols + hc];
  }
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 7; i++)
#pragma unroll
    for (int j = 0; j < 7; j++) sum += tile.row[threadIdx.y + i][threadIdx.x + j];
  out[r * cols + c] = sum;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
