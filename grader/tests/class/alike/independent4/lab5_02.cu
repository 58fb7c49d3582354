// Lab 5
constexpr int kTile = 32;

enum {
  kLoadSectors = 4,     // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 1048576,  // how many do all of them move?
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float A[kTile][kTile], B[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = kTile * blockIdx.y + ty, j = kTile * blockIdx.x + tx;

  float r = 0.f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    if (i < n && k0 + tx < m)
      A[ty][tx] = a[i * m + (k0 + tx)];
    else
      A[ty][tx] = 0.f;
    if (j < p && k0 + ty < m)
      B[ty][tx] = b[(k0 + ty) * p + j];
    else
      B[ty][tx] = 0.f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < kTile; ++k) r += A[ty][k] * B[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = r;
}

// 16 x 16 threads, 4 x 4 elements each
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float A[16][64];  // [k][row]
  __shared__ float B[16][64];  // [k][col]
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i0 = 64 * blockIdx.y, j0 = 64 * blockIdx.x;
  float r[4][4];
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 4; ++v) r[u][v] = 0.f;

  for (int k0 = 0; k0 < m; k0 += 16) {
    for (int u = 0; u < 4; ++u) {
      const int i = i0 + ty + 16 * u, j = j0 + tx + 16 * u;
      A[tx][ty + 16 * u] = i < n && k0 + tx < m ? a[i * m + k0 + tx] : 0.f;
      B[ty][tx + 16 * u] = j < p && k0 + ty < m ? b[(k0 + ty) * p + j] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int u = 0; u < 4; ++u)
        for (int v = 0; v < 4; ++v) r[u][v] += A[k][ty + 16 * u] * B[k][tx + 16 * v];
    __syncthreads();
  }
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 4; ++v) {
      const int i = i0 + ty + 16 * u, j = j0 + tx + 16 * v;
      if (i < n && j < p) c[i * p + j] = r[u][v];
    }
}
