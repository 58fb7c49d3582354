// lab: lab7
// change: #define SLOT(i, k) ((i) * PARTS + ((k) ^ ((i) / 2 & 7)))
#define PARTS 8
#define SLOT(i, k) ((i) * PARTS + ((k) ^ ((i) & 7)))

struct ComplexQuadDouble {
  double part[8];
};

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  const int i = 256 * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < PARTS; k++) w[i].part[k] = factor * z[i].part[k];
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = 256 * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < PARTS; k++) w[k * n + i] = factor * z[k * n + i];
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ double kept[256 * PARTS];
  const int start = 256 * blockIdx.x;
  if (start + threadIdx.x < n)
    for (int k = 0; k < PARTS; k++) kept[SLOT(threadIdx.x, k)] = z[k * n + start + threadIdx.x];
  __syncthreads();
  double* to = w[start].part;
  for (int e = threadIdx.x; e < 256 * PARTS && e < (n - start) * PARTS; e += 256)
    to[e] = kept[SLOT(e / PARTS, e % PARTS)];
}
