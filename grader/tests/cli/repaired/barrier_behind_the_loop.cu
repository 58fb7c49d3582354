// lab: lab9
// change: 
// change: } __syncthreads();
// Lab 9: histogram
constexpr int kBins = 256;

enum {
  kGlobalAtomics = 262144,
  kSharedAtomics = 16777216,
};

__device__ void clear(int* bins) {
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
}

__device__ void merge(const int* bins, int* counts) {
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (bins[b] > 0) atomicAdd(counts + b, bins[b]);
  }
}

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clear(bins);
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[data[i]], 1);
    // After each write to shared memory comes a barrier, or others see old values.
    __syncthreads();
  }

  merge(bins, counts);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clear(bins);
  __syncthreads();

  int run = 0;      // how often in a row
  int current = 0;  // which byte
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int byte = data[i];
    if (byte != current) {
      if (run > 0) atomicAdd(&bins[current], run);
      current = byte;
      run = 0;
    }
    ++run;
  }
  if (run > 0) atomicAdd(&bins[current], run);
  __syncthreads();

  merge(bins, counts);
}
