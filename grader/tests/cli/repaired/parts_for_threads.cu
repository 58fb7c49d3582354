// lab: lab7
// change: int i = blockIdx.x * blockDim.x + threadIdx.x;
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = blockIdx.x * kParts + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; k++) {
      w[i].part[k] = z[i].part[k] * factor;
    }
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; k++) {
      w[k * n + i] = z[k * n + i] * factor;
    }
  }
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO
}
