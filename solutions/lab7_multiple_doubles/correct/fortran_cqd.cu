// Style: Fortran: one-based macros Z(i,k) for the arrays (column-major, leading dimension n) and Q(k,i) for the structures.
// Right: i is the fast index of Z, and it is the thread; the bonus stages with one pad double after each 16.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

#define Z(i, k) z[((i)-1) + n * ((k)-1)]
#define W(i, k) w[((i)-1) + n * ((k)-1)]
#define Q(k, i) part[(k)-1]

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i, k;
  i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i > n) return;
  for (k = 1; k <= kParts; k++) w[i - 1].Q(k, i) = factor * z[i - 1].Q(k, i);
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i, k;
  i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i > n) return;
  for (k = 1; k <= kParts; k++) W(i, k) = factor * Z(i, k);
}

#define S(e) s[(e) + (e) / 16]

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double s[kBlock * kParts + kBlock * kParts / 16];
  int i, k, e, i0;
  i0 = blockIdx.x * blockDim.x;
  i = i0 + threadIdx.x + 1;
  for (k = 1; k <= kParts; k++) {
    e = threadIdx.x * kParts + k - 1;
    S(e) = 0.0;
    if (i <= n) S(e) = Z(i, k);
  }
  __syncthreads();
  for (e = threadIdx.x; e < kBlock * kParts; e += kBlock) {
    i = i0 + e / kParts + 1;
    k = e % kParts + 1;
    if (i <= n) w[i - 1].Q(k, i) = S(e);
  }
}
