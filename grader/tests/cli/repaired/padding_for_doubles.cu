// lab: lab7
// change: constexpr int kPitch = kBlock + 2;
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

constexpr int kPitch = kBlock + 1;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const double* src = z[i].part;
  double* dst = w[i].part;
#pragma unroll
  for (int k = 0; k < kParts; ++k) dst[k] = factor * src[k];
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < kParts; ++k) w[k * n + i] = factor * z[k * n + i];
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double s[kParts * kPitch];
  int t = threadIdx.x;
  int first = blockIdx.x * kBlock;
  if (first + t < n) {
#pragma unroll
    for (int k = 0; k < kParts; ++k) s[k * kPitch + t] = z[k * n + first + t];
  }
  __syncthreads();

  double* flat = w[first].part;
  int here = min(n - first, kBlock) * kParts;
#pragma unroll
  for (int step = 0; step < kParts; ++step) {
    int e = step * kBlock + t;
    if (e < here) flat[e] = s[(e % kParts) * kPitch + e / kParts];
  }
}
