constexpr int kBins = 256;
constexpr int kCopies = 8;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int bins[kCopies][kBins];

  int* all = &bins[0][0];
  for (int e = threadIdx.x; e < kCopies * kBins; e += blockDim.x) all[e] = 0;
  __syncthreads();

  // a copy for each warp keeps the warps out of each other's way
  int* mine = bins[(threadIdx.x / 32) % kCopies];
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    atomicAdd(mine + data[i], 1);
  }
  __syncthreads();

  for (int v = threadIdx.x; v < kBins; v += blockDim.x) {
    int acc = 0;
#pragma unroll
    for (int q = 0; q < kCopies; ++q) acc += bins[q][v];
    if (acc != 0) atomicAdd(&counts[v], acc);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
}
