// Every thread loads its own element; those at the edge of the block load what lies beyond, those in the corners one more.
// Bonus: two layers in turn, so that one barrier a layer is enough.
#define IN(r, c) ((r) < 0 || (r) >= rows || (c) < 0 || (c) >= cols ? 0.0f : in[(r)*cols + (c)])

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float t[10][34];
  int tx = threadIdx.x, ty = threadIdx.y;
  int c = blockIdx.x * 32 + tx, r = blockIdx.y * 8 + ty;
  t[ty + 1][tx + 1] = IN(r, c);
  if (ty == 0) t[0][tx + 1] = IN(r - 1, c);
  if (ty == 7) t[9][tx + 1] = IN(r + 1, c);
  if (tx == 0) t[ty + 1][0] = IN(r, c - 1);
  if (tx == 31) t[ty + 1][33] = IN(r, c + 1);
  if (tx == 0 && ty == 0) t[0][0] = IN(r - 1, c - 1);
  if (tx == 31 && ty == 0) t[0][33] = IN(r - 1, c + 1);
  if (tx == 0 && ty == 7) t[9][0] = IN(r + 1, c - 1);
  if (tx == 31 && ty == 7) t[9][33] = IN(r + 1, c + 1);
  __syncthreads();
  if (r < rows && c < cols)
    out[r * cols + c] = 0.0625f * t[ty][tx] + 0.125f * t[ty][tx + 1] + 0.0625f * t[ty][tx + 2] +
                        0.125f * t[ty + 1][tx] + 0.25f * t[ty + 1][tx + 1] +
                        0.125f * t[ty + 1][tx + 2] + 0.0625f * t[ty + 2][tx] +
                        0.125f * t[ty + 2][tx + 1] + 0.0625f * t[ty + 2][tx + 2];
}

#define AT(z, y, x) \
  ((z) >= nz || (y) < 0 || (y) >= ny || (x) < 0 || (x) >= nx ? 0.0f : in[((z)*ny + (y)) * nx + (x)])

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {
  __shared__ float t[2][10][34];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float below = 0, mine = AT(0, y, x);
  for (int z = 0; z < nz; z++) {
    float above = AT(z + 1, y, x);
    int b = z & 1;
    t[b][ty][tx] = mine;
    if (ty == 1) t[b][0][tx] = AT(z, y - 1, x);
    if (ty == 8) t[b][9][tx] = AT(z, y + 1, x);
    if (tx == 1) t[b][ty][0] = AT(z, y, x - 1);
    if (tx == 32) t[b][ty][33] = AT(z, y, x + 1);
    __syncthreads();
    if (x < nx && y < ny) {
      float sum = t[b][ty][tx - 1] + t[b][ty][tx + 1] + t[b][ty - 1][tx] + t[b][ty + 1][tx];
      out[(z * ny + y) * nx + x] = sum + below + above - 6.0f * mine;
    }
    below = mine;
    mine = above;
  }
}
