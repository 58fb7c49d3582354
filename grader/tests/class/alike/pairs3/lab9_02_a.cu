constexpr int kBins = 256;

__device__ void clear(int* local) {
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
}

__device__ void merge(const int* local, int* counts) {
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    atomicAdd(&counts[b], local[b]);
  }
}

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int local[kBins];
  clear(local);
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < (unsigned int)n) {
    atomicAdd(&local[data[i]], 1);
    i += gridDim.x * blockDim.x;
  }
  merge(local, counts);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int local[kBins];
  clear(local);
  int value = -1;
  int run = 0;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < (unsigned int)n) {
    const int next = data[i];
    if (next != value) {
      if (run > 0) atomicAdd(&local[value], run);
      value = next;
      run = 0;
    }
    run++;
    i += gridDim.x * blockDim.x;
  }
  if (run > 0) atomicAdd(&local[value], run);
  merge(local, counts);
}
