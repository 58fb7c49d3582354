// A range of the data for each block; its first 256 threads, or all where there are fewer, clear and merge.
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ unsigned int local[256];
  int tid = threadIdx.x;

  for (int bin = tid; bin < 256; bin += blockDim.x) local[bin] = 0u;
  __syncthreads();

  long long length = ((long long)n + gridDim.x - 1) / gridDim.x;
  length = (length + 31) / 32 * 32; /* whole sectors */
  long long begin = length * blockIdx.x;
  long long end = begin + length;
  if (end > n) end = n;
  for (long long pos = begin + tid; pos < end; pos += blockDim.x) {
    unsigned char value = data[pos];
    atomicInc(&local[value], 0xffffffffu);
  }
  __syncthreads();

  for (int bin = tid; bin < 256; bin += blockDim.x)
    if (local[bin] != 0) atomicAdd(&counts[bin], (int)local[bin]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {}
