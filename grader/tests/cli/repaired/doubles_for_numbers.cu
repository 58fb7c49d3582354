// lab: lab7
// change: if (first + e / kParts < n) flat[e] = depot[(e % kParts) * kPitch + e / kParts];
struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

constexpr int kPitch = kBlock + 2;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int me = blockIdx.x * kBlock + threadIdx.x;
  if (me < n) {
    const ComplexQuadDouble& from = z[me];
    ComplexQuadDouble& to = w[me];
#pragma unroll
    for (int k = 0; k < kParts; k++) to.part[k] = factor * from.part[k];
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int me = blockIdx.x * kBlock + threadIdx.x;
  if (me < n) {
#pragma unroll
    for (int k = 0; k < kParts; k++) w[k * n + me] = factor * z[k * n + me];
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double depot[kParts * kPitch];
  const int first = blockIdx.x * kBlock;
  const int t = threadIdx.x;
  if (first + t < n) {
#pragma unroll
    for (int k = 0; k < kParts; k++) depot[k * kPitch + t] = z[k * n + first + t];
  }
  __syncthreads();
  double* flat = reinterpret_cast<double*>(w + first);
#pragma unroll
  for (int step = 0; step < kParts; step++) {
    const int e = step * kBlock + t;
    if (first + e < n) flat[e] = depot[(e % kParts) * kPitch + e / kParts];
  }
}
