// lab: lab9
// change: for (int b = t; b < kBins; b += blockDim.x) bins[b] = 0;
// change: for (int b = t; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
constexpr int kBins = 256;
enum { kGlobalAtomics = 0, kSharedAtomics = 0, };
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  const int t = threadIdx.x;
  for (int b = t; b < kBins; b += blockDim.x) bins[b] = counts[b];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  for (int b = t; b < kBins; b += blockDim.x) counts[b] = bins[b];
}
__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
