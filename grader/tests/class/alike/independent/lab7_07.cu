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
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(me < n)) return;
  const double* src = z[me].part;
  double* dst = w[me].part;
  const double* stop = src + kParts;
  while (src != stop) *dst++ = *src++ * factor;
}

// Eight arrays, one behind the other: part k of number i is z[k * n + i], and of the result
// w[k * n + i].
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(me < n)) return;
  // at each step 32 neighbours: 8 sectors
  for (int pos = me; pos < kParts * n; pos += n) w[pos] = z[pos] * factor;
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double parts[kParts * 258];
  const int start = blockIdx.x * kBlock;
  const int here = min(n - start, kBlock);
  const int t = threadIdx.x;
  if (t < here) {
    for (int k = 0; k < kParts; ++k) parts[k * 258 + t] = z[k * n + start + t];
  }
  __syncthreads();
  double* flat = (double*)w + start * kParts;
  for (int e = t; e < here * kParts; e += kBlock) flat[e] = parts[(e & 7) * 258 + (e >> 3)];
}
