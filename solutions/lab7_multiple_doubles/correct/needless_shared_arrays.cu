// Style: everything goes through shared memory, also where nothing needs it, with a barrier to be safe.
// Right: each thread reads back what it has written, part by part, next to each other: no conflicts and every access coalesced.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  __shared__ double s[kParts][kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n)
    for (int k = 0; k < kParts; k++) s[k][threadIdx.x] = z[i].part[k];
  __syncthreads();
  if (i < n)
    for (int k = 0; k < kParts; k++) w[i].part[k] = s[k][threadIdx.x] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  __shared__ double s[kParts][kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n)
    for (int k = 0; k < kParts; k++) s[k][threadIdx.x] = z[k * n + i];
  __syncthreads();
  if (i < n)
    for (int k = 0; k < kParts; k++) w[k * n + i] = s[k][threadIdx.x] * factor;
}

// And here it is needed: number-major with rows of 2 numbers + 1 double.
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double s[kBlock / 2][17];
  int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  if (i < n)
    for (int k = 0; k < kParts; k++) s[t / 2][t % 2 * 8 + k] = z[k * n + i];
  __syncthreads();
  for (int r = t / 16; r < kBlock / 2; r += kBlock / 16) {
    int number = blockIdx.x * kBlock + 2 * r + t % 16 / 8;
    if (number < n) w[number].part[t % 8] = s[r][t % 16];
  }
}
