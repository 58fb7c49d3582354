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

// Predict first (no points), a number in place of each 0.
// The sectors that a load of a warp touches:
enum {
  kStructureSectors = 0,  // in scale_structures()
  kArraySectors = 0,      // in scale_arrays()
};

// An array of structures: w[i].part[k] = z[i].part[k] * factor.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  // TODO: all parts of the thread's own number.
}

// Eight arrays, one behind the other: part k of number i is z[k * n + i], and of the result
// w[k * n + i].
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  // TODO: the same work. What do the 32 threads of a warp touch at each step now?
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
