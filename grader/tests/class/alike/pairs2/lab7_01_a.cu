// Lab 7: multiple doubles, and where their parts lie.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

// One thread, one structure.
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; ++k) {
      w[i].part[k] = z[i].part[k] * factor;
    }
  }
}

// Neighbouring threads touch neighbouring doubles.
__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; ++k) {
      w[k * n + i] = z[k * n + i] * factor;
    }
  }
}

// Padded: 258 doubles a row, so that two numbers' eight parts fill the banks once.
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double stage[kParts][kBlock + 2];
  int first = blockIdx.x * kBlock;
  int i = first + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; ++k) {
      stage[k][threadIdx.x] = z[k * n + i];
    }
  }
  __syncthreads();
  for (int step = 0; step < kParts; ++step) {
    int place = step * kBlock + threadIdx.x;
    int number = place / kParts;
    int k = place % kParts;
    if (first + number < n) {
      w[first + number].part[k] = stage[k][number];
    }
  }
}
