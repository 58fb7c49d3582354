// verdict: out_of_bounds
// defect: out_of_bounds.past_last_row
// says: goes from row 0 to row 8 of `z`
// The loop over the eight arrays goes one too far.
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
  for (int k = 0; k <= kParts; ++k) w[k * n + i] = z[k * n + i] * factor;  // <--
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO
}
