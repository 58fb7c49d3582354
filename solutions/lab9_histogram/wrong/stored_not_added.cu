// verdict: race
// defect: race.same_element
// Each block stores its histogram over those of the others.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) counts[b] = bins[b];  // <--
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
