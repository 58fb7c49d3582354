// verdict: gate skewed_shared_atomics
// defect: gate.skewed_shared_atomics
// A copy for each warp keeps warps apart, but not the lanes of one warp.
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
  __shared__ int bins[32][kBins];
  for (int k = threadIdx.x; k < 32 * kBins; k += blockDim.x) bins[k / kBins][k % kBins] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[threadIdx.x / 32][data[i]], 1);  // <--
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    int sum = 0;
    for (int w = 0; w < 32; ++w) sum += bins[w][b];
    atomicAdd(&counts[b], sum);
  }
}
