constexpr int kTile = 32;
#define IN_A(r, k) ((r) < n && (k) < m)
#define IN_B(k, q) ((k) < m && (q) < p)
#define IN_C(r, q) ((r) < n && (q) < p)

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int r = blockIdx.y * kTile + y, q = blockIdx.x * kTile + x;
  float s = 0;
  for (int t = 0; t * kTile < m; t++) {
    int k = t * kTile;
    ta[y][x] = IN_A(r, k + x) ? a[r * m + k + x] : 0;
    tb[y][x] = IN_B(k + y, q) ? b[(k + y) * p + q] : 0;
    __syncthreads();
    for (int l = 0; l < kTile; l++) s += ta[y][l] * tb[l][x];
    __syncthreads();
  }
  if (IN_C(r, q)) c[r * p + q] = s;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

// thread (x, y): 4 x 4 neighbouring elements of C, rows 4y.., columns 4x..
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float ta[16][64 + 1];  // transposed: ta[k][row]
  __shared__ float tb[16][64];
  int id = threadIdx.y * 16 + threadIdx.x;
  int top = 64 * blockIdx.y, left = 64 * blockIdx.x;
  float acc[4][4];
  for (int e = 0; e < 16; e++) acc[e / 4][e % 4] = 0;
  for (int k = 0; k < m; k += 16) {
    for (int e = id; e < 16 * 64; e += 256) {
      int ar = top + e / 16, ak = k + e % 16;
      ta[e % 16][e / 16] = IN_A(ar, ak) ? a[ar * m + ak] : 0;
      int bk = k + e / 64, bq = left + e % 64;
      tb[e / 64][e % 64] = IN_B(bk, bq) ? b[bk * p + bq] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < 16; l++) {
      float fa[4], fb[4];
      for (int e = 0; e < 4; e++) {
        fa[e] = ta[l][4 * threadIdx.y + e];
        fb[e] = tb[l][4 * threadIdx.x + e];
      }
      for (int u = 0; u < 4; u++)
        for (int v = 0; v < 4; v++) acc[u][v] += fa[u] * fb[v];
    }
    __syncthreads();
  }
  for (int u = 0; u < 4; u++)
    for (int v = 0; v < 4; v++) {
      int r = top + 4 * threadIdx.y + u, q = left + 4 * threadIdx.x + v;
      if (IN_C(r, q)) c[r * p + q] = acc[u][v];
    }
}
