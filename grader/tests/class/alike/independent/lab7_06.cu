struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    w[idx].part[0] = z[idx].part[0] * factor;
    w[idx].part[1] = z[idx].part[1] * factor;
    w[idx].part[2] = z[idx].part[2] * factor;
    w[idx].part[3] = z[idx].part[3] * factor;
    w[idx].part[4] = z[idx].part[4] * factor;
    w[idx].part[5] = z[idx].part[5] * factor;
    w[idx].part[6] = z[idx].part[6] * factor;
    w[idx].part[7] = z[idx].part[7] * factor;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    w[idx] = z[idx] * factor;
    w[n + idx] = z[n + idx] * factor;
    w[2 * n + idx] = z[2 * n + idx] * factor;
    w[3 * n + idx] = z[3 * n + idx] * factor;
    w[4 * n + idx] = z[4 * n + idx] * factor;
    w[5 * n + idx] = z[5 * n + idx] * factor;
    w[6 * n + idx] = z[6 * n + idx] * factor;
    w[7 * n + idx] = z[7 * n + idx] * factor;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {}
