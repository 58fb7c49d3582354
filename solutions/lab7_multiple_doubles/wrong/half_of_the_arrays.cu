// verdict: wrong_result
// defect: wrong_result.last_rows
// says: The one before it, w[3][0], was stored by thread (0,0,0) of block (0,0,0) at line {1}
// Handles only four of the eight arrays.
struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[i].part[k] = z[i].part[k] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 4; ++k) w[k * n + i] = z[k * n + i] * factor;  // <--
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO
}
