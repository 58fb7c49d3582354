constexpr int kBins = 256;

enum {
  kGlobalAtomics = 262144,
  kSharedAtomics = 0,
};

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[data[i]], 1);
  }
  __syncthreads();
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) {
    if (bins[v] != 0) atomicAdd(&counts[v], bins[v]);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
  __syncthreads();

  const int lane = threadIdx.x % 32;
  const int warp_begin = blockIdx.x * blockDim.x + threadIdx.x - lane;
  for (int begin = warp_begin; begin < n; begin += gridDim.x * blockDim.x) {
    const int value = begin + lane < n ? data[begin + lane] : -1;
    const unsigned alike = __match_any_sync(0xffffffff, value);
    const int leader = __ffs(alike) - 1;
    if (lane == leader && value >= 0) atomicAdd(&bins[value], __popc(alike));
  }

  __syncthreads();
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) {
    if (bins[v] != 0) atomicAdd(&counts[v], bins[v]);
  }
}
