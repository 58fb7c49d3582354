// lab: lab5
// change: 
// Lab 5: matrix product through shared tiles.
constexpr int kTile = 32;

// For n = 1024, m = 128 and p = 1024:
enum {
  kLoadSectors = 4,
  kAllLoadSectors = 1048576,  // 32 * 32 blocks * 4 steps * 2 tiles * 32 rows * 4 sectors
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int i = blockIdx.y * kTile + ty;  // row of C
  const int j = blockIdx.x * kTile + tx;  // column of C
  float sum = 0.0f;

  const int steps = (m + kTile - 1) / kTile;
  for (int step = 0; step < steps; ++step) {
    const int ka = step * kTile + tx;
    const int kb = step * kTile + ty;
    As[ty][tx] = (i < n && ka < m) ? a[i * m + ka] : 0.0f;
    Bs[ty][tx] = (kb < m && j < p) ? b[kb * p + j] : 0.0f;
    __syncthreads();

    // product of the two tiles
    sum = 0.0f;
    for (int k = 0; k < kTile; ++k) {
      sum += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }

  if (i < n && j < p) c[i * p + j] = sum;
}

// Bonus: 2 x 2 elements in each direction would do, but 4 x 4 is what the text proposes.
constexpr int kSide = 64, kDeep = 16;
__constant__ int matmul_registers_shape[4] = {16, 16, kSide, kSide};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[kDeep][kSide + 1];  // turned
  __shared__ float Bs[kDeep][kSide];
  const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[4][4] = {};

  for (int k0 = 0; k0 < m; k0 += kDeep) {
#pragma unroll
    for (int e = id; e < kSide * kDeep; e += 256) {
      const int r = e / kDeep, k = e % kDeep;
      As[k][r] = (top + r < n && k0 + k < m) ? a[(top + r) * m + k0 + k] : 0.0f;
    }
#pragma unroll
    for (int e = id; e < kSide * kDeep; e += 256) {
      const int k = e / kSide, j = e % kSide;
      Bs[k][j] = (k0 + k < m && left + j < p) ? b[(k0 + k) * p + left + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      float u[4], v[4];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        u[q] = As[k][ty + 16 * q];
        v[q] = Bs[k][tx + 16 * q];
      }
#pragma unroll
      for (int q = 0; q < 4; ++q)
#pragma unroll
        for (int s = 0; s < 4; ++s) sum[q][s] += u[q] * v[s];
    }
    __syncthreads();
  }
#pragma unroll
  for (int q = 0; q < 4; ++q)
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const int i = top + ty + 16 * q, j = left + tx + 16 * s;
      if (i < n && j < p) c[i * p + j] = sum[q][s];
    }
}
