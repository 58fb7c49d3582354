// verdict: gate sectors
// defect: gate.sectors
// A chunk of neighbouring bytes for each thread.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int threads = gridDim.x * blockDim.x;
  const int chunk = n / threads + (n % threads != 0);
  const long long begin = (long long)chunk * (blockIdx.x * blockDim.x + threadIdx.x);
  for (long long i = begin; i < begin + chunk && i < n; ++i) atomicAdd(&bins[data[i]], 1);  // <--
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
