// lab: lab9
// change: {
// change: {
// Lab 9: all count in one shared histogram, at the end it is added to counts.
constexpr int kBins = 256;

enum {
  kGlobalAtomics = 262144,
  kSharedAtomics = 16777216,
};

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];

  // Who clears? One block, otherwise a late block would delete what the others have counted.
  if (blockIdx.x == 0) {
    for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
  }
  __syncthreads();

  const int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    atomicAdd(&bins[data[i]], 1);
    i += threads;
  }

  // Who waits? All, until everything is counted. Then one block adds, so that nothing is added twice.
  __syncthreads();
  if (blockIdx.x == 0) {
    for (int v = threadIdx.x; v < kBins; v += blockDim.x) atomicAdd(&counts[v], bins[v]);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
}
