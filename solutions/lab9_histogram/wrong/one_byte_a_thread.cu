// verdict: wrong_result
// defect: wrong_result.unread_input
// Each thread counts one byte: with fewer threads than bytes, the rest is left out.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
