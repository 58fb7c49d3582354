// lab: lab9
// change: for (int k = t; k < kBins; k += blockDim.x) bins[k] = 0;
// change: for (int k = t; k < kBins; k += blockDim.x) atomicAdd(&counts[k], bins[k]);
constexpr int kBins = 256;
enum { kGlobalAtomics = 0, kSharedAtomics = 0, };
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  const int t = threadIdx.x;
  if (t < kBins) bins[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  if (t < kBins) atomicAdd(&counts[t], bins[t]);
}
__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
