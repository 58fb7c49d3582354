// lab: lab9
// change: if (number[b] != 0) atomicAdd(&counts[b], number[b]);
// why: change_atomic
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int number[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) number[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&number[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (number[b] != 0) counts[b] += number[b];
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {}
