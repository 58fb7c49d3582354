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

// An array of structures: w[i].part[k] = z[i].part[k] * factor.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    // two doubles at once
    const double2* in = reinterpret_cast<const double2*>(z + i);
    double2* out = reinterpret_cast<double2*>(w + i);
    for (int k = 0; k < kParts / 2; ++k) {
      double2 v = in[k];
      v.x *= factor;
      v.y *= factor;
      out[k] = v;
    }
  }
}

// Eight arrays, one behind the other: part k of number i is z[k * n + i], and of the result
// w[k * n + i].
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n)
    for (unsigned at = i, k = 0; k < kParts; ++k, at += n) w[at] = z[at] * factor;
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // Swizzle: part k of number t is at t * 8 + (k ^ (t / 2 % 8)).
  __shared__ double s[kBlock * kParts];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * kBlock + t;
  if (i < n) {
    for (unsigned k = 0; k < kParts; ++k) s[t * 8 + (k ^ (t / 2 % 8))] = z[k * n + i];
  }
  __syncthreads();
  double* out = w->part;
  unsigned k = t % 8;
  for (unsigned u = t / 8; u < kBlock; u += kBlock / 8) {
    unsigned number = blockIdx.x * kBlock + u;
    if (number < n) out[number * 8 + k] = s[u * 8 + (k ^ (u / 2 % 8))];
  }
}
