// Style: in scale_arrays each of the eight warps takes one of the eight arrays, and 32 numbers at a time.
// Right: a warp still touches 32 neighbouring doubles at each step; only the assignment of the parts to threads differs.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
#pragma unroll 1
  for (int k = 0; k < kParts; ++k) w[i].part[k] = ldexp(z[i].part[k], 0) * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int k = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int first = blockIdx.x * kBlock;
  const int last = min(first + kBlock, n);
  for (int i = first + lane; i < last; i += 32) w[k * n + i] = z[k * n + i] * factor;
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
