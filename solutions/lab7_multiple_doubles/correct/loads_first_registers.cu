// Style: all eight loads first, into a register array, then all eight stores; __ldg and restrict.
// Right: eight loads are under way at once; every one of them is coalesced in scale_arrays.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void __launch_bounds__(kBlock)
    scale_structures(const ComplexQuadDouble* __restrict__ z, ComplexQuadDouble* __restrict__ w,
                     double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    double q[kParts];
#pragma unroll
    for (int k = 0; k < kParts; ++k) q[k] = __ldg(&z[i].part[k]);
#pragma unroll
    for (int k = 0; k < kParts; ++k) w[i].part[k] = q[k] * factor;
  }
}

__global__ void __launch_bounds__(kBlock)
    scale_arrays(const double* __restrict__ z, double* __restrict__ w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    double q[kParts];
#pragma unroll
    for (int k = 0; k < kParts; ++k) q[k] = __ldg(z + (size_t)k * n + i);
#pragma unroll
    for (int k = 0; k < kParts; ++k) w[(size_t)k * n + i] = q[k] * factor;
  }
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
