// lab: lab9
// change: } if (last >= 0) atomicAdd(&bins[last], run);
constexpr int kBins = 256;
enum { kGlobalAtomics = 0, kSharedAtomics = 0, };
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}
// neighbours are often equal: count a run and add it once
__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  int last = -1, run = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int now = data[i];
    if (now == last) {
      ++run;
    } else {
      if (last >= 0) atomicAdd(&bins[last], run);
      last = now;
      run = 1;
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}
