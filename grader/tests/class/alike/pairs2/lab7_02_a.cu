struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__device__ int my_number() { return blockIdx.x * kBlock + threadIdx.x; }

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = my_number();
  if (i >= n) return;
  const double* from = z[i].part;
  double* to = w[i].part;
#pragma unroll
  for (int k = 0; k < kParts; k++) to[k] = factor * from[k];
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = my_number();
  if (i >= n) return;
  // all loads first, then all stores
  double v[kParts];
#pragma unroll
  for (int k = 0; k < kParts; k++) v[k] = z[i + k * n];
#pragma unroll
  for (int k = 0; k < kParts; k++) w[i + k * n] = factor * v[k];
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // no padding: part k of number t sits at t * 8 + (k xor (t / 2) % 8)
  __shared__ double s[kBlock * kParts];
  const int t = threadIdx.x;
  const int i = my_number();
  if (i < n) {
#pragma unroll
    for (int k = 0; k < kParts; k++) s[t * kParts + (k ^ (t / 2 % 8))] = z[i + k * n];
  }
  __syncthreads();

  double* flat = w[blockIdx.x * kBlock].part;            // the block's structures as doubles
  const int have = (n - (int)blockIdx.x * kBlock) * kParts;  // how many there are from here on
#pragma unroll
  for (int step = 0; step < kParts; step++) {
    const int d = step * kBlock + t;
    const int num = d / kParts, k = d % kParts;
    if (d < have) flat[d] = s[num * kParts + (k ^ (num / 2 % 8))];
  }
}
