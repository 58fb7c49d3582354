// Four bytes in one load, where all four exist; the last ones one by one. Arrays begin at a multiple of 256 bytes.
__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const unsigned* words = reinterpret_cast<const unsigned*>(data);
  for (int w = thread; w < n / 4; w += threads) {
    const unsigned word = words[w];
    atomicAdd(&bins[word & 255], 1);
    atomicAdd(&bins[word >> 8 & 255], 1);
    atomicAdd(&bins[word >> 16 & 255], 1);
    atomicAdd(&bins[word >> 24], 1);
  }
  for (int i = n / 4 * 4 + thread; i < n; i += threads) atomicAdd(&bins[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uchar4* quads = reinterpret_cast<const uchar4*>(data);
  int last = 0, run = 0;
  auto count = [&](int value) {
    if (value == last) {
      ++run;
      return;
    }
    if (run) atomicAdd(&bins[last], run);
    last = value;
    run = 1;
  };
  for (int q = thread; q < n / 4; q += threads) {
    const uchar4 four = quads[q];
    count(four.x);
    count(four.y);
    count(four.z);
    count(four.w);
  }
  for (int i = n / 4 * 4 + thread; i < n; i += threads) count(data[i]);
  if (run) atomicAdd(&bins[last], run);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}
