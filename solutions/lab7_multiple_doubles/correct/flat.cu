// Each part is multiplied separately, so no thread needs a whole number: threads share the doubles in
// memory order. Then the layout does not matter at all. The staging is rotated instead of padded.
struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const double* in = reinterpret_cast<const double*>(z);
  double* out = reinterpret_cast<double*>(w);
  for (long long at = blockIdx.x * blockDim.x + threadIdx.x; at < 8LL * n;
       at += gridDim.x * blockDim.x)
    out[at] = in[at] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  for (long long at = blockIdx.x * blockDim.x + threadIdx.x; at < 8LL * n;
       at += gridDim.x * blockDim.x)
    w[at] = z[at] * factor;
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // Part k of number i stands at the place i ^ 2k: in the row of its part, moved by pairs of numbers.
  __shared__ double tile[kParts][kBlock];
  const int first = blockIdx.x * kBlock, here = min(kBlock, n - first);
  if (threadIdx.x < here)
    for (int k = 0; k < kParts; ++k) tile[k][threadIdx.x ^ 2 * k] = z[k * n + first + threadIdx.x];
  __syncthreads();
  double* flat = reinterpret_cast<double*>(w + first);
  for (int at = threadIdx.x; at < here * kParts; at += kBlock) {
    const int part = at % kParts;
    flat[at] = tile[part][at / kParts ^ 2 * part];
  }
}
