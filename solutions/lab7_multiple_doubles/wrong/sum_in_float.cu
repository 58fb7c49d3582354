// verdict: wrong_result
// defect: wrong_result.digits
// A float on the way keeps 7 of 16 digits.
struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[i].part[k] = z[i].part[k] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) {
    float part = z[k * n + i];  // <--
    w[k * n + i] = part * factor;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO
}
