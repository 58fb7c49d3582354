// Style: double2 loads and stores of the structures (64 bytes each, so aligned); unsigned indices, unrolled.
// Right: half as many requests for the structures; the arrays stay at 8 bytes per thread since n may be odd.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* __restrict__ z,
                                 ComplexQuadDouble* __restrict__ w, double factor, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (unsigned)n) return;
  const double2* from = reinterpret_cast<const double2*>(z + i);
  double2* to = reinterpret_cast<double2*>(w + i);
#pragma unroll
  for (int k = 0; k < kParts / 2; ++k) {
    double2 v = from[k];
    v.x *= factor;
    v.y *= factor;
    to[k] = v;
  }
}

__global__ void scale_arrays(const double* __restrict__ z, double* __restrict__ w, double factor,
                             int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (unsigned)n) return;
#pragma unroll
  for (unsigned k = 0; k < kParts; ++k) w[k * (unsigned)n + i] = z[k * (unsigned)n + i] * factor;
}

// XOR swizzle of the parts within a number by (number / 2): no padding.
__global__ void to_structures(const double* __restrict__ z, ComplexQuadDouble* __restrict__ w,
                              int n) {
  __shared__ double s[kBlock * kParts];
  const unsigned t = threadIdx.x, i = blockIdx.x * kBlock + t;
#pragma unroll
  for (unsigned k = 0; k < kParts; ++k) {
    double v = i < (unsigned)n ? z[k * (unsigned)n + i] : 0.0;
    s[t * kParts + (k ^ ((t >> 1) & 7))] = v;
  }
  __syncthreads();
  double* out = reinterpret_cast<double*>(w) + (size_t)blockIdx.x * kBlock * kParts;
#pragma unroll
  for (unsigned r = 0; r < kParts; ++r) {
    const unsigned e = r * kBlock + t, number = e >> 3, part = e & 7;
    if (blockIdx.x * kBlock + number < (unsigned)n)
      out[e] = s[number * kParts + (part ^ ((number >> 1) & 7))];
  }
}
