// verdict: uninitialized
// class: uninitialised tile edge
// defect: uninitialized.shared
// Nobody sets the shared histogram to 0.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1);  // <--
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);  // <--
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
