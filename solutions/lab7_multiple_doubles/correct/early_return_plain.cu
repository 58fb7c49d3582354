// Style: the plainest: early return, one loop over the parts in each kernel.
// Right: in scale_arrays the 32 threads of a warp touch 32 neighbouring doubles at every step.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[i].part[k] = z[i].part[k] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[k * n + i] = z[k * n + i] * factor;
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
