// verdict: gate atomics
// defect: gate.atomics
// An atomic on global memory for each byte.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[data[i]], 1);  // <--
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
