// lab: lab5
// change: float dot = 0.0f; for (int k0 = 0; k0 < m; k0 += kEdge) {
// change:
// change:
// change: } if (inside) c[y * p + x] = dot;
constexpr int kEdge = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float left[kEdge][kEdge], right[kEdge][kEdge];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kEdge + tx, y = blockIdx.y * kEdge + ty;
  const bool inside = x < p && y < n;
  for (int k0 = 0; k0 < m; k0 += kEdge) {
    left[ty][tx] = y < n && k0 + tx < m ? a[y * m + k0 + tx] : 0.0f;
    right[ty][tx] = x < p && k0 + ty < m ? b[(k0 + ty) * p + x] : 0.0f;
    __syncthreads();
    float dot = 0.0f;
    for (int k = 0; k < kEdge; ++k) dot += left[ty][k] * right[k][tx];
    if (inside) c[y * p + x] += dot;
    __syncthreads();
  }
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
