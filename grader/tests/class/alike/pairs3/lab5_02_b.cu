constexpr int kTile = 32;
constexpr int kHigh = 32;
constexpr int kWide = 128;
constexpr int kStepY = 8;
__constant__ int matmul_registers_shape[4] = {32, 8, kWide, kHigh};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  const int lx = threadIdx.x;
  const int ly = threadIdx.y;
  const int top = kHigh * blockIdx.y;
  const int left = kWide * blockIdx.x;
  __shared__ float tileB[kTile][kWide];
  __shared__ float tileA[kHigh][kTile];
  float out[4][4] = {};

  int k0 = 0;
  while (k0 < m) {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const int y = ly + s * kStepY;
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const int x = lx + t * 32;
        float value = 0;
        if (k0 + y < m && left + x < p) value = b[left + x + p * (k0 + y)];
        tileB[y][x] = value;
      }
    }
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const int y = ly + s * kStepY;
      float value = 0;
      if (top + y < n && k0 + lx < m) value = a[k0 + lx + m * (top + y)];
      tileA[y][lx] = value;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) {
      float fromA[4], fromB[4];
#pragma unroll
      for (int t = 0; t < 4; ++t) fromB[t] = tileB[k][lx + t * 32];
#pragma unroll
      for (int s = 0; s < 4; ++s) fromA[s] = tileA[ly + s * kStepY][k];
#pragma unroll
      for (int s = 0; s < 4; ++s) {
#pragma unroll
        for (int t = 0; t < 4; ++t) out[s][t] += fromB[t] * fromA[s];
      }
    }
    __syncthreads();
    k0 += kTile;
  }

#pragma unroll
  for (int s = 0; s < 4; ++s) {
    const int y = top + ly + s * kStepY;
    if (y >= n) break;
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const int x = left + lx + t * 32;
      if (x < p) c[x + p * y] = out[s][t];
    }
  }
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  const int lx = threadIdx.x;
  const int ly = threadIdx.y;
  const int y = ly + kTile * blockIdx.y;
  const int x = lx + kTile * blockIdx.x;

  float total = 0;
  int k0 = 0;
  while (k0 < m) {
    float va = 0, vb = 0;
    if (y < n && k0 + lx < m) va = a[k0 + lx + m * y];
    if (k0 + ly < m && x < p) vb = b[x + p * (k0 + ly)];
    tileA[ly][lx] = va;
    tileB[ly][lx] = vb;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) total += tileB[k][lx] * tileA[ly][k];
    __syncthreads();
    k0 += kTile;
  }
  if (x < p && y < n) c[x + p * y] = total;
}
