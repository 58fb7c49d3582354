// verdict: gate arrays_sectors
// defect: gate.arrays_sectors
// Eight neighbouring doubles per thread, as if they were a structure: correct, because each part is
// multiplied separately, but as slow as structures.
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
  long long first = 8LL * (blockIdx.x * blockDim.x + threadIdx.x);
  for (long long at = first; at < first + 8 && at < 8LL * n; ++at) {
    w[at] = z[at] * factor;  // <--
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO
}
