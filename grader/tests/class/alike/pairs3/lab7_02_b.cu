struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int tid = threadIdx.x + blockDim.x * blockIdx.x;
  if (tid >= n) return;
  for (int c = 0; c != kParts; c++) {
    const int idx = tid + n * c;
    const double val = z[idx];
    w[idx] = factor * val;
  }
}

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int tid = threadIdx.x + blockDim.x * blockIdx.x;
  if (tid >= n) return;
  ComplexQuadDouble& o = w[tid];
  const ComplexQuadDouble& i = z[tid];
  for (int c = 0; c != kParts; c++) {
    const double val = i.part[c];
    o.part[c] = factor * val;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
}
