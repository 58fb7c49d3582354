struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

#define THREAD_NUMBER (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int me = THREAD_NUMBER;
  if (me < n) {
    const ComplexQuadDouble& from = z[me];
    ComplexQuadDouble& to = w[me];
    for (int l = 1; l <= kParts; l++) {
      to.part[l - 1] = from.part[l - 1] * factor;
    }
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int me = THREAD_NUMBER;
  if (me < n) {
    const int last = me + (kParts - 1) * n;
    for (int l = me; l <= last; l += n) {
      w[l] = z[l] * factor;
    }
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
}
