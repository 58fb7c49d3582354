// verdict: race
// class: missing first barrier
// defect: race.missing_barrier
// Parts are read before the other warps have stored them.
struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[i].part[k] = z[i].part[k] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[k * n + i] = z[k * n + i] * factor;
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double tile[kParts][kBlock + 2];
  const int first = blockIdx.x * kBlock, here = min(kBlock, n - first);
  if (threadIdx.x < here)
    for (int k = 0; k < kParts; ++k) {
      tile[k][threadIdx.x] = z[k * n + first + threadIdx.x];  // <--
    }
  double* flat = reinterpret_cast<double*>(w + first);
  for (int at = threadIdx.x; at < here * kParts; at += kBlock) {
    flat[at] = tile[at % kParts][at / kParts];  // <--
  }
}
