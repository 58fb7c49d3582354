// lab: lab9
// change: __device__ void count(int* bins, int value) {
// why: change_narrow_char
// Lab 9: histogram
constexpr int kBins = 256;

enum {
  kGlobalAtomics = 262144,    // 1024 blocks * 256 bins
  kSharedAtomics = 16777216,  // one for each byte
};

// three steps, one function each

__device__ void clear(int* bins) {
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
  __syncthreads();
}

__device__ void count(int* bins, char value) {
  atomicAdd(&bins[value], 1);
}

__device__ void merge(const int* bins, int* counts) {
  __syncthreads();
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) atomicAdd(&counts[v], bins[v]);
}

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clear(bins);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    count(bins, data[i]);
  }
  merge(bins, counts);
}

// The same, but equal bytes in a row are counted in `run`.
__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clear(bins);
  int before = -1, run = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int now = data[i];
    if (now == before) {
      ++run;
      continue;
    }
    if (run > 0) atomicAdd(&bins[before], run);
    before = now;
    run = 1;
  }
  if (run > 0) atomicAdd(&bins[before], run);
  merge(bins, counts);
}
