struct ComplexQuadDouble {
  double part[8];
};
constexpr int kBlock = 256;
constexpr int kParts = 8;

// eight arrays
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int t = threadIdx.x + kBlock * blockIdx.x;
  if (t >= n) return;
  for (int p = 0; p <= kParts - 1; p++) {
    int place = t + n * p;
    w[place] = factor * z[place];
  }
}

// structures
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int t = threadIdx.x + kBlock * blockIdx.x;
  if (t >= n) return;
  for (int p = 0; p <= kParts - 1; p++) w[t].part[p] = factor * z[t].part[p];
}

// not done
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
}
