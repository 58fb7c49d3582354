// Lab 7: multiple doubles, and where their parts lie.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

// An array of structures: w[i].part[k] = z[i].part[k] * factor.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int threadNumber = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadNumber < n) {
    const ComplexQuadDouble& source = z[threadNumber];
    ComplexQuadDouble& target = w[threadNumber];
    for (int k = 0; k < kParts; ++k) {
      target.part[k] = source.part[k] * factor;
    }
  }
}

// Eight arrays, one behind the other.
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int threadNumber = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadNumber < n) {
    for (int k = 0; k < kParts; ++k) {
      const int position = k * n + threadNumber;
      w[position] = z[position] * factor;
    }
  }
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
}
