// verdict: uninitialized
// defect: uninitialized.shared
// Threads at the edge of the block load the halo, but nobody loads its four corners.
#define IN(r, c) ((r) < 0 || (r) >= rows || (c) < 0 || (c) >= cols ? 0.0f : in[(r)*cols + (c)])

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[14][38];
  const int tx = threadIdx.x + 3, ty = threadIdx.y + 3;
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  tile[ty][tx] = IN(r, c);
  if (threadIdx.y < 3) tile[ty - 3][tx] = IN(r - 3, c);
  if (threadIdx.y > 4) tile[ty + 3][tx] = IN(r + 3, c);
  if (threadIdx.x < 3) tile[ty][tx - 3] = IN(r, c - 3);
  if (threadIdx.x > 28) tile[ty][tx + 3] = IN(r, c + 3);
  __syncthreads();
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = ty - 3; y <= ty + 3; ++y)
    for (int x = tx - 3; x <= tx + 3; ++x) sum += tile[y][x];  // <--
  out[r * cols + c] = sum;                                     // <--
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
