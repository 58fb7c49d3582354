// Every thread loads its own element; those within 3 of the edge of the block load what lies 3 beyond, those in the corners one
// more. Bonus: two layers in turn, so that one barrier a layer is enough.
#define IN(r, c) ((r) < 0 || (r) >= rows || (c) < 0 || (c) >= cols ? 0.0f : in[(r)*cols + (c)])

__global__ void smooth(const float* in, float* out, int rows, int cols) {
  __shared__ float t[14][38];
  int tx = threadIdx.x, ty = threadIdx.y;
  int c = blockIdx.x * 32 + tx, r = blockIdx.y * 8 + ty;
  t[ty + 3][tx + 3] = IN(r, c);
  if (ty < 3) t[ty][tx + 3] = IN(r - 3, c);
  if (ty > 4) t[ty + 6][tx + 3] = IN(r + 3, c);
  if (tx < 3) {
    t[ty + 3][tx] = IN(r, c - 3);
    if (ty < 3) t[ty][tx] = IN(r - 3, c - 3);
    if (ty > 4) t[ty + 6][tx] = IN(r + 3, c - 3);
  }
  if (tx > 28) {
    t[ty + 3][tx + 6] = IN(r, c + 3);
    if (ty < 3) t[ty][tx + 6] = IN(r - 3, c + 3);
    if (ty > 4) t[ty + 6][tx + 6] = IN(r + 3, c + 3);
  }
  __syncthreads();
  if (r < rows && c < cols) {
    float s = 0;
    for (int k = 0; k < 49; k++) s += t[ty + k / 7][tx + k % 7];
    out[r * cols + c] = s;
  }
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
