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

// gives false if there is nothing to do for the thread
__device__ bool has_work(int& id, int count) {
  id = threadIdx.x + blockDim.x * blockIdx.x;
  if (id >= count) {
    return false;
  }
  return true;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n)
{
  int id;
  if (!has_work(id, n)) return;
  double* result = &w[id];
  const double* given = &z[id];
  for (int j = 0; j <= kParts - 1; j = j + 2) {
    const int even = n * j;
    const int odd = even + n;
    result[even] = factor * given[even];
    result[odd] = factor * given[odd];
  }
}

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n)
{
  int id;
  if (!has_work(id, n)) return;
  double* result = w[id].part;
  const double* given = z[id].part;
  for (int j = 0; j <= kParts - 1; j = j + 2) {
    result[1 + j] = factor * given[1 + j];
    result[j] = factor * given[j];
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) { /* no time */ }
