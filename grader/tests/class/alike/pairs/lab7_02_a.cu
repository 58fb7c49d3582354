struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ComplexQuadDouble in = z[i];
  ComplexQuadDouble out;
  for (int k = 0; k < kParts; k++) out.part[k] = in.part[k] * factor;
  w[i] = out;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kParts; k++) w[k * n + i] = z[k * n + i] * factor;
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double s[kParts][kBlock + 2];
  int start = blockIdx.x * kBlock;
  int i = start + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < kParts; k++) s[k][threadIdx.x] = z[k * n + i];
  }
  __syncthreads();
  for (int q = threadIdx.x; q < kBlock * kParts; q += kBlock) {
    int number = q / kParts;
    int k = q % kParts;
    if (start + number < n) w[start + number].part[k] = s[k][number];
  }
}
