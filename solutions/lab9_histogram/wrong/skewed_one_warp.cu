// verdict: gate skewed_ratio
// defect: gate.skewed_ratio
// The first warp of each block counts for all of them.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  int value = 0, run = 0;
  for (int i = threadIdx.x < 32 ? blockIdx.x * 32 + threadIdx.x : n; i < n; i += gridDim.x * 32) {
    const int next = data[i];
    if (next != value) {
      if (run > 0) atomicAdd(&bins[value], run);
      value = next;
      run = 0;
    }
    ++run;
    __threadfence();
  }
  if (run > 0) atomicAdd(&bins[value], run);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}
