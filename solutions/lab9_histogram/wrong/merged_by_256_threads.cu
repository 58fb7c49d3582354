// verdict: wrong_result
// defect: wrong_result.unread_shared
// says: leaves in bins[32]
// never: by hand
// Each thread merges one bin: a block of fewer than 256 threads leaves the others out.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
