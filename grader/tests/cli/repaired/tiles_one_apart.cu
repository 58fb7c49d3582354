// lab: lab5
// change: for (int s = 0; s < m; s += kTile) {
constexpr int kTile = 32;
enum { kLoadSectors = 4, kAllLoadSectors = 0, };
__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * kTile + ty;
  const int j = blockIdx.x * kTile + tx;
  float sum = 0;
  const int steps = (m + kTile - 1) / kTile;
  for (int s = 0; s < steps; ++s) {
    as[ty][tx] = i < n && s + tx < m ? a[i * m + s + tx] : 0;
    bs[ty][tx] = s + ty < m && j < p ? b[(s + ty) * p + j] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = sum;
}
