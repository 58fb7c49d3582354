// The whole tile is cleared; after a barrier, what exists is loaded over it.
struct Tile {
  float row[10][34];
};

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ Tile tile;
  int id = threadIdx.x + 32 * threadIdx.y;
  float* flat = &tile.row[0][0];
  flat[id] = 0;
  if (id + 256 < 340) flat[id + 256] = 0;
  __syncthreads();
  int r0 = blockIdx.y * 8, c0 = blockIdx.x * 32;
  int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
  if (r < rows && c < cols) tile.row[threadIdx.y + 1][threadIdx.x + 1] = in[r * cols + c];
  // 84 elements of halo, for the first 84 threads: 34 above, 34 below, 8 left, 8 right.
  int y = 0, x = 0;
  if (id < 34)
    y = 0, x = id;
  else if (id < 68)
    y = 9, x = id - 34;
  else if (id < 76)
    y = id - 67, x = 0;
  else
    y = id - 75, x = 33;
  int hr = r0 + y - 1, hc = c0 + x - 1;
  if (id < 84 && hr >= 0 && hr < rows && hc >= 0 && hc < cols) tile.row[y][x] = in[hr * cols + hc];
  __syncthreads();
  if (r >= rows || c >= cols) return;
  const int weight[3] = {1, 2, 1};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++)
#pragma unroll
    for (int j = 0; j < 3; j++)
      sum += weight[i] * weight[j] * tile.row[threadIdx.y + i][threadIdx.x + j];
  out[r * cols + c] = sum / 16;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
