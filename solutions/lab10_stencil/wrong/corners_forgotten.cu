// verdict: uninitialized
// defect: uninitialized.shared
// Threads at the edge of the block load the halo, but nobody loads its four corners.
#define IN(r, c) ((r) < 0 || (r) >= rows || (c) < 0 || (c) >= cols ? 0.0f : in[(r)*cols + (c)])

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  tile[ty][tx] = IN(r, c);
  if (ty == 1) tile[0][tx] = IN(r - 1, c);
  if (ty == 8) tile[9][tx] = IN(r + 1, c);
  if (tx == 1) tile[ty][0] = IN(r, c - 1);
  if (tx == 32) tile[ty][33] = IN(r, c + 1);
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = ty - 1; y <= ty + 1; ++y)
    for (int x = tx - 1; x <= tx + 1; ++x) {
      const int weight = (y == ty ? 2 : 1) * (x == tx ? 2 : 1);
      sum += weight * tile[y][x];  // <--
    }
  out[r * cols + c] = sum / 16;  // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
