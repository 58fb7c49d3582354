// Style: eight named pointers, one for each array, and eight lines by hand.
// Right: each line is one coalesced load and one coalesced store.
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    w[i].part[0] = z[i].part[0] * factor;
    w[i].part[1] = z[i].part[1] * factor;
    w[i].part[2] = z[i].part[2] * factor;
    w[i].part[3] = z[i].part[3] * factor;
    w[i].part[4] = z[i].part[4] * factor;
    w[i].part[5] = z[i].part[5] * factor;
    w[i].part[6] = z[i].part[6] * factor;
    w[i].part[7] = z[i].part[7] * factor;
  }
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const double *rehihi = z, *relohi = z + n, *rehilo = z + 2 * n, *relolo = z + 3 * n;
  const double *imhihi = z + 4 * n, *imlohi = z + 5 * n, *imhilo = z + 6 * n, *imlolo = z + 7 * n;
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    w[0 * n + i] = rehihi[i] * factor;
    w[1 * n + i] = relohi[i] * factor;
    w[2 * n + i] = rehilo[i] * factor;
    w[3 * n + i] = relolo[i] * factor;
    w[4 * n + i] = imhihi[i] * factor;
    w[5 * n + i] = imlohi[i] * factor;
    w[6 * n + i] = imhilo[i] * factor;
    w[7 * n + i] = imlolo[i] * factor;
  }
}

// Modest, but right: each word of a double has a stage of its own, eight parts in rows of 260 words.
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  __shared__ int hi[8][260], lo[8][260];
  int t = threadIdx.x, i = t + blockIdx.x * blockDim.x, k, e;
  for (k = 0; k < 8; k++) {
    double v = i < n ? z[k * n + i] : 0;
    hi[k][t] = __double2hiint(v);
    lo[k][t] = __double2loint(v);
  }
  __syncthreads();
  for (k = 0; k < 8; k++) {
    e = k * 256 + t;
    i = blockIdx.x * blockDim.x + e / 8;
    if (i < n) w[i].part[e % 8] = __hiloint2double(hi[e % 8][e / 8], lo[e % 8][e / 8]);
  }
}
