constexpr int kTile = 32;

__device__ float at(const float* matrix, int r, int c, int height, int width) {
  if (r < height && c < width) return matrix[c + r * width];
  return 0.0f;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kTile][kTile];
  __shared__ float right[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int i = kTile * blockIdx.y + ty;
  const int j = kTile * blockIdx.x + tx;
  float acc = 0.0f;
  int step = 0;
  while (step * kTile < m) {
    left[ty][tx] = at(a, i, step * kTile + tx, n, m);
    right[ty][tx] = at(b, step * kTile + ty, j, m, p);
    __syncthreads();
    for (int q = 0; q < kTile; ++q) {
      acc = acc + left[ty][q] * right[q][tx];
    }
    __syncthreads();
    ++step;
  }
  if (i >= n || j >= p) return;
  c[j + i * p] = acc;
}

constexpr int kBig = 64;
constexpr int kSlice = 16;
constexpr int kThreads = 16;
constexpr int kPer = 4;

__constant__ int matmul_registers_shape[4] = {kThreads, kThreads, kBig, kBig};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kBig][kSlice];
  __shared__ float right[kSlice][kBig];
  const int row0 = blockIdx.y * kBig;
  const int col0 = blockIdx.x * kBig;
  const int ty = threadIdx.y;
  const int tx = threadIdx.x;
  float acc[kPer][kPer] = {};

  for (int base = 0; base < m; base += kSlice) {
#pragma unroll
    for (int w = 0; w < kPer; ++w) {
      left[kThreads * w + ty][tx] = at(a, row0 + kThreads * w + ty, base + tx, n, m);
      right[ty][kThreads * w + tx] = at(b, base + ty, col0 + kThreads * w + tx, m, p);
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < kSlice; ++d) {
      float fa[kPer], fb[kPer];
#pragma unroll
      for (int w = 0; w < kPer; ++w) fa[w] = left[kThreads * w + ty][d];
#pragma unroll
      for (int w = 0; w < kPer; ++w) fb[w] = right[d][kThreads * w + tx];
#pragma unroll
      for (int x = 0; x < kPer; ++x)
#pragma unroll
        for (int y = 0; y < kPer; ++y) acc[x][y] = acc[x][y] + fa[x] * fb[y];
    }
    __syncthreads();
  }

#pragma unroll
  for (int x = 0; x < kPer; ++x) {
#pragma unroll
    for (int y = 0; y < kPer; ++y) {
      const int r = row0 + kThreads * x + ty;
      const int s = col0 + kThreads * y + tx;
      if (r < n && s < p) c[s + r * p] = acc[x][y];
    }
  }
}
