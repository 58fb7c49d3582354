// Style: a Java programmer: the structure is copied into a local object, scaled there, and assigned back as a whole.
// Right: each thread moves its own structure; the arrays are walked with one pointer for each side.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__device__ ComplexQuadDouble scaled(const ComplexQuadDouble& number, double factor) {
  ComplexQuadDouble result = number;
  for (int index = 0; index < kParts; ++index) {
    result.part[index] *= factor;
  }
  return result;
}

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int threadIndex = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (threadIndex < n) {
    const ComplexQuadDouble source = z[threadIndex];
    w[threadIndex] = scaled(source, factor);
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int threadIndex = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (threadIndex < n) {
    const double* sourcePointer = z + threadIndex;
    double* targetPointer = w + threadIndex;
    for (int index = 0; index < kParts; ++index) {
      *targetPointer = *sourcePointer * factor;
      sourcePointer += n;
      targetPointer += n;
    }
  }
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
