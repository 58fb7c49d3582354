// lab: lab7
// change: int i = t;
// change: for (int k = 0; k < kParts; ++k) if (i < n) w[k * n + i] = factor * z[k * n + i];
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

enum { kStructureSectors = 32, kArraySectors = 8 };

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int t = blockIdx.x * kBlock + threadIdx.x;
  if (t < n) {
    const double* p = z[t].part;
    double* q = w[t].part;
#pragma unroll
    for (int k = 0; k < kParts; k++) *q++ = factor * *p++;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int t = blockIdx.x * kBlock + threadIdx.x;
  int i = t / kParts, k = t % kParts;
  if (i < n) w[k * n + i] = factor * z[k * n + i];
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {}
