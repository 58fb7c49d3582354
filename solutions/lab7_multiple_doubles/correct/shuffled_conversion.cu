// Style: do-while loops for the scaling; the conversion by shuffles only: an 8 x 8 transpose among eight lanes, no shared memory.
// Right: after three rounds lane l holds part l % 8 of its group's eight numbers, and a warp stores eight whole sectors.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const double* a = z[i].part;
    double* b = w[i].part;
    int k = kParts;
    do {
      *b++ = *a++ * factor;
    } while (--k);
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < n) {
    int k = kParts;
    do {
      w[e] = z[e] * factor;
      e += n;
    } while (--k);
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  double q[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) q[k] = i < n ? z[k * n + i] : 0.0;
#pragma unroll
  for (int d = 4; d > 0; d >>= 1) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k & d) continue;
      const double give = (lane & d) ? q[k] : q[k + d];
      const double got = __shfl_xor_sync(0xffffffff, give, d);
      if (lane & d)
        q[k] = got;
      else
        q[k + d] = got;
    }
  }
  const int group = i - lane % 8;
#pragma unroll
  for (int j = 0; j < 8; ++j)
    if (group + j < n) w[group + j].part[lane % 8] = q[j];
}
