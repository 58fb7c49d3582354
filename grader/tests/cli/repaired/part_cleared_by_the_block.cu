// lab: lab9
// change: for (int b = threadIdx.x % 32; b < kBins; b += 32) h[warp][b] = 0;
constexpr int kBins = 256;

enum {
  kGlobalAtomics = 262144,  // on global memory
  kSharedAtomics = 16777216,  // on shared memory
};

typedef unsigned char byte;

__global__ void histogram(const byte* data, int* counts, int n) {
  __shared__ int h[32][kBins];
  const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
  const int warps = blockDim.x >> 5;

  for (int b = tid; b < kBins; b += blockDim.x) h[warp][b] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&h[warp][data[i]], 1);
  __syncthreads();

  for (int b = tid; b < kBins; b += blockDim.x) {
    int sum = 0;
    for (int w = 0; w < warps; ++w) sum += h[w][b];
    if (sum) atomicAdd(&counts[b], sum);
  }
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
}
