// verdict: wrong_result
// defect: wrong_result.unread_input
// says: never read.
// never: by hand
// Each thread counts n / threads bytes: the rest of the division is counted by nobody.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int threads = gridDim.x * blockDim.x;
  const int share = n < threads ? 1 : n / threads;
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < share; ++k)
    if (k * threads + me < n) atomicAdd(&bins[data[k * threads + me]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
