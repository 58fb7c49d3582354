// Lab 9: histogram.
constexpr int kBins = 256;

__device__ void clearBins(int* bins) {
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
  __syncthreads();
}

__device__ void mergeBins(const int* bins, int* counts) {
  __syncthreads();
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) atomicAdd(&counts[v], bins[v]);
}

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clearBins(bins);

  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  const int all = gridDim.x * blockDim.x;
  const int quads = (size_t)data % 4 == 0 ? n / 4 : 0;
  const uchar4* four = reinterpret_cast<const uchar4*>(data);

  for (int q = me; q < quads; q += all) {
    const uchar4 f = four[q];
    atomicAdd(&bins[f.x], 1);
    atomicAdd(&bins[f.y], 1);
    atomicAdd(&bins[f.z], 1);
    atomicAdd(&bins[f.w], 1);
  }
  // the rest
  for (int i = 4 * quads + me; i < n; i += all) atomicAdd(&bins[data[i]], 1);

  mergeBins(bins, counts);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kBins];
  clearBins(bins);

  int value = 0, run = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int v = data[i];
    if (v != value) {
      if (run > 0) atomicAdd(&bins[value], run);
      value = v;
      run = 0;
    }
    ++run;
  }
  if (run > 0) atomicAdd(&bins[value], run);

  mergeBins(bins, counts);
}
