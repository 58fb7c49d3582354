constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int mine[kBins];
  for (int k = threadIdx.x; k < kBins; k += blockDim.x) {
    mine[k] = 0;
  }
  __syncthreads();

  const unsigned int limit = n;
  const unsigned int hop = blockDim.x * gridDim.x;
  for (unsigned int p = threadIdx.x + blockDim.x * blockIdx.x; p < limit; p += hop) {
    const int byte = data[p];
    atomicAdd(mine + byte, 1);
  }

  __syncthreads();
  for (int k = threadIdx.x; k < kBins; k += blockDim.x) {
    atomicAdd(counts + k, mine[k]);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int mine[kBins];
  for (int k = threadIdx.x; k < kBins; k += blockDim.x) {
    mine[k] = 0;
  }
  __syncthreads();

  const unsigned int limit = n;
  const unsigned int hop = blockDim.x * gridDim.x;
  int len = 0;
  int current = -1;
  for (unsigned int p = threadIdx.x + blockDim.x * blockIdx.x; p < limit; p += hop) {
    const int byte = data[p];
    if (byte == current) {
      len = len + 1;
      continue;
    }
    if (len > 0) atomicAdd(mine + current, len);
    current = byte;
    len = 1;
  }
  if (len > 0) atomicAdd(mine + current, len);

  __syncthreads();
  for (int k = threadIdx.x; k < kBins; k += blockDim.x) {
    atomicAdd(counts + k, mine[k]);
  }
}
