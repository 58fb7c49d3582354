constexpr int kBins = 256;
constexpr int kWarps = 1024 / 32;

enum {
  kGlobalAtomics = 262144,
  kSharedAtomics = 16777216,
};

#define FOR_THREADS(i, end) for (int i = threadIdx.x; i < (end); i += blockDim.x)

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int h[kWarps][kBins];
  int used = blockDim.x / 32;
  int w = threadIdx.x / 32;

  FOR_THREADS(v, kBins)
    for (int k = 0; k < used; ++k) h[k][v] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&h[w][data[i]], 1);
  __syncthreads();

  FOR_THREADS(v, kBins) {
    int s = 0;
    for (int k = 0; k < used; ++k) s += h[k][v];
    if (s) atomicAdd(&counts[v], s);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO (optional)
}
