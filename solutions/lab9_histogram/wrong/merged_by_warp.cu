// verdict: gate atomics
// defect: gate.atomics
// A histogram for each warp, and each is added to counts by itself.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[32][kBins];
  int* mine = bins[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  for (int b = lane; b < kBins; b += 32) mine[b] = 0;
  __syncwarp();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[data[i]], 1);
  __syncwarp();
  for (int b = lane; b < kBins; b += 32) atomicAdd(&counts[b], mine[b]);  // <--
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
