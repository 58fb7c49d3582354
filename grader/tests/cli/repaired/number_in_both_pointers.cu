// lab: lab7
// change: const double* from = reinterpret_cast<const double*>(z) + i * kParts;
// change: double* to = reinterpret_cast<double*>(w) + i * kParts;
// Lab 7: multiple doubles, and where their parts lie.
//
// A quad double is a number of about 64 digits: the sum of four doubles, each of them far smaller
// than the one before. A complex number of two quad doubles has eight parts. Times a power of two,
// each part is multiplied for itself, and nothing is rounded.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

// Blocks are 256 threads, in one dimension; the grid has just enough of them that thread i of the
// grid takes number i. n need not be a multiple of 256, and may be 0.
constexpr int kParts = 8;
constexpr int kBlock = 256;

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a load of a warp touches:
enum {
  kStructureSectors = 32,  // in scale_structures()
  kArraySectors = 8,      // in scale_arrays()
};

// An array of structures: w[i].part[k] = z[i].part[k] * factor.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    // a structure is nothing but eight doubles in a row
    const double* from = reinterpret_cast<const double*>(z) + i;
    double* to = reinterpret_cast<double*>(w) + i;
    for (int k = 0; k < kParts; ++k) to[k] = from[k] * factor;
  }
}

// Eight arrays, one behind the other: part k of number i is z[k * n + i], and of the result
// w[k * n + i].
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; ++k) {
      w[k * n + i] = z[k * n + i] * factor;
    }
  }
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double stage[kParts][kBlock + 2];
  const int first = blockIdx.x * kBlock;
  const int i = first + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; ++k) stage[k][threadIdx.x] = z[k * n + i];
  }
  __syncthreads();
  const int doubles = min(kBlock, n - first) * kParts;
  double* to = reinterpret_cast<double*>(w + first);
  for (int e = threadIdx.x; e < doubles; e += kBlock) to[e] = stage[e % kParts][e / kParts];
}
