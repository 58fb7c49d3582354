// lab: lab7
// change: const double* from = z + id;
// change: double* to = w + id;
// change: to[k * n] = from[k * n] * factor;
struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int id = threadIdx.x + blockIdx.x * kBlock;
  if (id >= n) return;
  ComplexQuadDouble number = z[id];
  for (double& part : number.part) part *= factor;
  w[id] = number;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int id = threadIdx.x + blockIdx.x * kBlock;
  if (id >= n) return;
  const double* from = z + id * kParts;
  double* to = w + id * kParts;
#pragma unroll
  for (int k = 0; k < kParts; k++) {
    to[k] = from[k] * factor;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {}
