// lab: lab7
// change: int count = min(kBlock, n - first) * kParts;
struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < kParts; k++) w[i].part[k] = z[i].part[k] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 8; k++) w[k * n + i] = z[k * n + i] * factor;
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double s[kParts][kBlock + 2];
  int first = blockIdx.x * kBlock;
  int i = first + threadIdx.x;
  if (i < n)
    for (int k = 0; k < kParts; k++) s[k][threadIdx.x] = z[k * n + i];
  __syncthreads();
  double* out = &w[first].part[0];
  int count = (n - first) * kParts;
  for (int e = threadIdx.x; e < count; e += kBlock) out[e] = s[e % kParts][e / kParts];
}
