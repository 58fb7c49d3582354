// lab: lab7
// change: ComplexQuadDouble& scaled = w[i];
// why: change_copy
struct ComplexQuadDouble {
  double part[8];
};

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ComplexQuadDouble scaled = w[i];
  for (int k = 0; k < 8; ++k) scaled.part[k] = factor * z[i].part[k];
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 8; ++k) w[k * n + i] = factor * z[k * n + i];
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
}
