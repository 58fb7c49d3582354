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

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  const int begin = kBlock * blockIdx.x;
  const int own = threadIdx.x + begin;
  __shared__ double parts[kParts][2 + kBlock];
  for (int p = 0; p < kParts; ++p) {
    if (own < n) parts[p][threadIdx.x] = z[own + n * p];
  }
  __syncthreads();
  // 8 rounds, each thread stores one double a round
  for (int round = 0; round < kParts; ++round) {
    const int e = threadIdx.x + kBlock * round;
    const int p = e & 7;
    const int which = e >> 3;
    if (which + begin >= n) continue;
    w[which + begin].part[p] = parts[p][which];
  }
}

// Eight arrays, one behind the other: part k of number i is z[k * n + i], and of the result
// w[k * n + i].
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int own = threadIdx.x + blockDim.x * blockIdx.x;
  if (own < n) {
    for (int p = 0; p < kParts; ++p) {
      w[own + n * p] = factor * z[own + n * p];
    }
  }
}

// An array of structures: w[i].part[k] = z[i].part[k] * factor.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int own = threadIdx.x + blockDim.x * blockIdx.x;
  if (own < n) {
    ComplexQuadDouble scaled;
    ComplexQuadDouble given = z[own];
    for (int p = 0; p < kParts; ++p) {
      scaled.part[p] = factor * given.part[p];
    }
    w[own] = scaled;
  }
}
