// lab: lab9
// change: for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 32 * 32; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[data[i]], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO
}
