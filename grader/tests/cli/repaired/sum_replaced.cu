// lab: lab5
// change: acc += dot;
constexpr int kTile = 32;

__device__ __forceinline__ float fetch(const float* buf, int y, int x, int h, int w) {
  return (y < h && x < w) ? buf[(size_t)y * w + x] : 0.f;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float sA[kTile][kTile], sB[kTile][kTile];
  const int lx = threadIdx.x, ly = threadIdx.y;
  const int px = blockIdx.x * kTile + lx;
  const int py = blockIdx.y * kTile + ly;

  float acc = 0.f;
  for (int base = 0; base < m; base += kTile) {
    sA[ly][lx] = fetch(a, py, base + lx, n, m);
    sB[ly][lx] = fetch(b, base + ly, px, m, p);
    __syncthreads();

    float dot = 0.f;
#pragma unroll
    for (int k = 0; k < kTile; ++k) dot = fmaf(sA[ly][k], sB[k][lx], dot);
    acc = dot;
    __syncthreads();
  }

  if (px < p && py < n) c[(size_t)py * p + px] = acc;
}

// Optional, for bonus points: the shape is yours.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
