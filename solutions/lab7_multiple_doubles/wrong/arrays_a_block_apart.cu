// verdict: out_of_bounds
// defect: out_of_bounds.wrong_index
// says: Step by the length of a part of `z`, not by 256
// never: matrix
// The distance from one array to the next is the block's size instead of n.
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
  for (int k = 0; k < kParts; ++k) w[k * 256 + i] = z[k * 256 + i] * factor;  // <--
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO
}
