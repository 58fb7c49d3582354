constexpr int kBins = 256;

enum {
  kGlobalAtomics = 262144,    // on global memory
  kSharedAtomics = 16777216,  // on shared memory
};

using Byte = unsigned char;

__device__ void clearBins(int* bins) {
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
}

__device__ void countBytes(int* bins, const Byte* data, int n) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    atomicAdd(&bins[data[i]], 1);
  }
}

__device__ void mergeBins(const int* bins, int* counts) {
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clearBins(bins);
  __syncthreads();
  countBytes(bins, data, n);
  __syncthreads();
  mergeBins(bins, counts);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
}
