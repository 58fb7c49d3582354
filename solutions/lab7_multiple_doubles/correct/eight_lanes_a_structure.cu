// Style: eight threads share a structure (thread t takes part t % 8 of numbers t / 8, t / 8 + 32, ...); arrays by a 2-D view.
// Right: each step of a warp is 256 neighbouring bytes; a typedef of a row of n doubles is emulated with a macro.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

#define PART(p, k) ((p) + (size_t)(k)*n)

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int k = threadIdx.x % kParts;
  const int first = blockIdx.x * kBlock;
  for (int s = threadIdx.x / kParts; s < kBlock; s += kBlock / kParts) {
    if (first + s >= n) break;
    w[first + s].part[k] = z[first + s].part[k] * factor;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  for (int k = kParts - 1; k >= 0; --k)
    if (i < n) PART(w, k)[i] = PART(z, k)[i] * factor;
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
