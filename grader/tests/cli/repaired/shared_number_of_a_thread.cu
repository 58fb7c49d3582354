// lab: lab7
// change: ComplexQuadDouble number;
// why: change_shared_value
// Lab 7
struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

enum {
  kStructureSectors = 32,
  kArraySectors = 8,
};

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  // the thread's own number while it works on it; shared memory is much nearer than global memory
  __shared__ ComplexQuadDouble number;

  if (i < n) number = z[i];
  __syncthreads();  // before anything in shared memory is read

  if (i < n) {
    for (int k = 0; k < kParts; ++k) {
      number.part[k] *= factor;
    }
    w[i] = number;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  // 32 neighbours at each step
  for (int k = 0; k < kParts; ++k) {
    w[k * n + i] = z[k * n + i] * factor;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: bonus
}
