// lab: lab7
// change: w[i] = q; }
struct ComplexQuadDouble { double part[8]; };
constexpr int kParts = 8;
constexpr int kBlock = 256;
enum { kStructureSectors = 32, kArraySectors = 8, };
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    ComplexQuadDouble q = z[i];
    for (int k = 0; k < kParts; ++k) q.part[k] *= factor;
  }
}
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n)
    for (int k = 0; k < kParts; ++k) w[k * gridDim.x * kBlock + i] = z[k * gridDim.x * kBlock + i] * factor;
}
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) { /* TODO */ }
