// lab: lab7
// change: for (int k = 0; k < kParts; k++) dst[k] = src[k] * factor;
// why: change_size_of_pointer
struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = kBlock * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  const double *src = z[i].part;
  double *dst = w[i].part;
  for (int k = 0; k < sizeof(src) / sizeof(*src); k++) dst[k] = src[k] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = kBlock * blockIdx.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < kParts; k++) w[k * n + i] = z[k * n + i] * factor;
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double s[kBlock * kParts];
  int t = threadIdx.x, i = kBlock * blockIdx.x + t;
  if (i < n)
    for (int k = 0; k < kParts; k++) s[t * kParts + (k ^ (t / 2 % kParts))] = z[k * n + i];
  __syncthreads();
  double *dst = (double *)(w + kBlock * blockIdx.x);
  int have = min(kBlock, n - kBlock * (int)blockIdx.x) * kParts;
  for (int e = t; e < have; e += kBlock) {
    int who = e / kParts, k = e % kParts;
    dst[e] = s[who * kParts + (k ^ (who / 2 % kParts))];
  }
}
