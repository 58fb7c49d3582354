// Style: the structures are seen as the flat doubles they are: the block's 2048 doubles are scaled 256 at a time.
// Right: the same work for the same block, but neighbouring threads touch neighbouring doubles; the arrays need no trick.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const double* from = &z[0].part[0];
  double* to = &w[0].part[0];
  const long long total = (long long)n * kParts;
  const long long first = (long long)blockIdx.x * kBlock * kParts;
  for (int k = 0; k < kParts; ++k) {
    const long long e = first + k * kBlock + threadIdx.x;
    if (e < total) to[e] = from[e] * factor;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const long long i = (long long)blockIdx.x * kBlock + threadIdx.x;
  if (i < n)
    for (long long k = 0; k < kParts; ++k) w[k * n + i] = z[k * n + i] * factor;
}

// Part-major tile with a pitch of 258 doubles: 258 % 16 is 2, two numbers by eight parts lie in 16 pairs of banks.
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double stage[kParts][kBlock + 2];
  const long long i = (long long)blockIdx.x * kBlock + threadIdx.x;
  if (i < n)
    for (int k = 0; k < kParts; ++k) stage[k][threadIdx.x] = z[(long long)k * n + i];
  __syncthreads();
  double* to = &w[0].part[0];
  const long long first = (long long)blockIdx.x * kBlock * kParts;
  for (int k = 0; k < kParts; ++k) {
    const int e = k * kBlock + threadIdx.x;
    if (first + e < (long long)n * kParts) to[first + e] = stage[e % kParts][e / kParts];
  }
}
