// verdict: gate skewed_atomics
// defect: gate.skewed_atomics
// Runs of a warp, added to global memory each.
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
  const int lane = threadIdx.x % 32;
  for (int first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < n;
       first += gridDim.x * blockDim.x) {
    const int value = first + lane < n ? data[first + lane] : kBins;
    const unsigned same = __match_any_sync(0xffffffff, value);
    const int half = lane / 4 * 4;  // each four lanes add for themselves
    const unsigned mine = same >> half & 15;
    if (value < kBins && __ffs(mine) - 1 == lane - half)
      atomicAdd(&counts[value], __popc(mine));  // <--
  }
}
