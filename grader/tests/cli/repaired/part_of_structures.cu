// lab: lab7
// example: blockIdx.x * kBlock, 256; blockIdx.x * kBlock * kParts, 2048
// change: const int first = blockIdx.x * kBlock * kParts;
// Lab 7: multiple doubles, and where their parts lie.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

enum {
  kStructureSectors = 8,  // I read them as plain doubles, side by side
  kArraySectors = 8,
};

// All parts get the same factor, so it doesn't matter which thread does which part. A structure is
// just 8 doubles in memory: the block goes over its own numbers as if they were one long array.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const double* from = reinterpret_cast<const double*>(z);
  double* to = reinterpret_cast<double*>(w);
  const int first = blockIdx.x * kBlock;
  for (int round = 0; round < kParts; ++round) {
    const int e = first + round * kBlock + threadIdx.x;
    if (e < n * kParts) to[e] = from[e] * factor;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) {
    w[k * n + i] = z[k * n + i] * factor;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // not tried yet
}
