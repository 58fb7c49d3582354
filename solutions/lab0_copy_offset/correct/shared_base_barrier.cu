// Style: thread 0 puts the block's first index into shared memory; two barriers, one of them needless.
// Right: all threads reach both barriers; the bound is checked after them.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  __shared__ int base;
  if (threadIdx.x == 0) base = blockIdx.x * blockDim.x;
  __syncthreads();
  int i = base + threadIdx.x;
  __syncthreads();  // pas nécessaire, mais plus sûr
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  __shared__ int base;
  if (threadIdx.x == 0) base = blockIdx.x * blockDim.x;
  __syncthreads();
  int c = base + threadIdx.x;
  if (c < cases) {
    int compteur = 0;
    int dernier = -1;
    for (int voie = 0; voie < 32; voie++) {
      int secteur = (offset[c] + voie * stride[c]) / 8;
      if (secteur != dernier) compteur += 1;
      dernier = secteur;
    }
    sectors[c] = compteur;
  }
}
