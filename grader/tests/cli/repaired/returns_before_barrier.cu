// lab: lab5
// change:
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float sa[kTile][kTile], sb[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * kTile + ty, j = blockIdx.x * kTile + tx;
  if (i >= n || j >= p) return;
  float sum = 0;
  for (int t = 0; t < m; t += kTile) {
    sa[ty][tx] = i < n && t + tx < m ? a[i * m + t + tx] : 0;
    sb[ty][tx] = t + ty < m && j < p ? b[(t + ty) * p + j] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; k++) sum += sa[ty][k] * sb[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}
