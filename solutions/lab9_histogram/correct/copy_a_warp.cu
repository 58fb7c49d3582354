// A histogram for each warp, so that warps do not wait for each other; they are added up in shared memory.
constexpr int kBins = 256, kMaxWarps = 32;

__global__ void histogram(const unsigned char* __restrict__ data, int* counts, int n) {
  __shared__ int bins[kMaxWarps][kBins];
  const int warps = blockDim.x / 32;
  for (int k = threadIdx.x; k < warps * kBins; k += blockDim.x) (&bins[0][0])[k] = 0;
  __syncthreads();
  int* mine = bins[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    int sum = 0;
    for (int w = 0; w < warps; ++w) sum += bins[w][b];
    atomicAdd(&counts[b], sum);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
