struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

static __device__ __forceinline__ int my_number() { return blockIdx.x * kBlock + threadIdx.x; }

// scale kParts doubles which lie `stride` apart
static __device__ void scale8(const double* from, double* to, double f, int stride) {
  for (int k = 0; k < kParts; k++) {
    *to = *from * f;
    to += stride;
    from += stride;
  }
}

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = my_number();
  if (i < n) scale8(z[i].part, w[i].part, factor, 1);
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = my_number();
  if (i < n) scale8(z + i, w + i, factor, n);
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // later
}
