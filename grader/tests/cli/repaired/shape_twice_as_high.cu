// lab: lab5
// change: __constant__ int matmul_registers_shape[4] = {kEdge, kEdge, 64, 64};
constexpr int kEdge = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
}

__constant__ int matmul_registers_shape[4] = {kEdge, kEdge, 64, 128};

// 4 x 4 elements a thread, kEdge apart
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float as[64][kEdge + 1];
  __shared__ float bs[kEdge][64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = 64 * blockIdx.y, left = 64 * blockIdx.x;
  float sum[4][4] = {};
  for (int from = 0; from < m; from += kEdge) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int row = top + ty + kEdge * q, col = left + tx + kEdge * q;
      as[ty + kEdge * q][tx] = row < n && from + tx < m ? a[row * m + from + tx] : 0;
      bs[ty][tx + kEdge * q] = col < p && from + ty < m ? b[(from + ty) * p + col] : 0;
    }
    __syncthreads();
    for (int k = 0; k < kEdge; ++k)
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int s = 0; s < 4; ++s) sum[r][s] += as[ty + kEdge * r][k] * bs[k][tx + kEdge * s];
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const int row = top + ty + kEdge * r, col = left + tx + kEdge * s;
      if (row < n && col < p) c[row * p + col] = sum[r][s];
    }
}
