// Four loads are under way before the first byte is counted, and two histograms share the work by parity.
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[2 * kBins];
  for (int b = threadIdx.x; b < 2 * kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  int* mine = bins + threadIdx.x % 2 * kBins;
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    unsigned char v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = data[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; ++k) atomicAdd(&mine[v[k]], 1);
  }
  for (; i < n; i += step) atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    atomicAdd(&counts[b], bins[b] + bins[b + kBins]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    const int value = data[i];
    int times = 0;
    do {
      ++times;
      i += step;
    } while (i < n && data[i] == value);
    atomicAdd(&bins[value], times);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}
