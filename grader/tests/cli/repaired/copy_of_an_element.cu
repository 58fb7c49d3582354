// lab: lab7
// change: auto& target = w[i];
// why: change_copy
// Lab 7: multiple doubles.
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
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  // give the two numbers a name, it is easier to read
  auto source = z[i];
  auto target = w[i];
  for (int k = 0; k < kParts; ++k) {
    target.part[k] = source.part[k] * factor;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  for (int k = 0; k < kParts; ++k) {
    w[k * n + i] = z[k * n + i] * factor;
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double tile[kParts][kBlock + 2];  // two more: other banks for every part
  const int first = blockIdx.x * kBlock;
  const int t = threadIdx.x;
  if (first + t < n) {
    for (int k = 0; k < kParts; ++k) {
      tile[k][t] = z[k * n + first + t];
    }
  }
  __syncthreads();
  double* flat = &w[first].part[0];
  for (int at = t; at < kBlock * kParts; at += kBlock) {
    const int number = at / kParts;
    const int part = at % kParts;
    if (first + number < n) {
      flat[at] = tile[part][number];
    }
  }
}
