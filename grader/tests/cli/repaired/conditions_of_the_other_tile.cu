// lab: lab5
// change: as[ty][tx] = (i < n && k0 + tx < m) ? a[i * m + k0 + tx] : 0;
// change: bs[ty][tx] = (k0 + ty < m && j < p) ? b[(k0 + ty) * p + j] : 0;
constexpr int kTile = 32;
enum { kLoadSectors = 4, kAllLoadSectors = 0, };
__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  
  const int i = blockIdx.y * kTile + ty;
  const int j = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    as[ty][tx] = (i < n && k0 + ty < m) ? a[i * m + k0 + tx] : 0;
    bs[ty][tx] = (k0 + tx < m && j < p) ? b[(k0 + ty) * p + j] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}
