struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__device__ int globalIndex() { return threadIdx.x + blockDim.x * blockIdx.x; }

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int idx = globalIndex();
  if (idx >= n) return;
  const ComplexQuadDouble* src = z + idx;
  ComplexQuadDouble* dst = w + idx;
  int p = 0;
  while (p < kParts) {
    dst->part[p] = factor * src->part[p];
    p++;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int idx = globalIndex();
  if (idx >= n) return;
  const int end = idx + n * (kParts - 1);
  int pos = idx;
  while (pos <= end) {
    w[pos] = factor * z[pos];
    pos = pos + n;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
}
